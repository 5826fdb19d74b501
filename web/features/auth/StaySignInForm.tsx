import { useSearchParams } from 'react-router';
import { TextField } from '../../ui/Field.tsx';
import { TokenForm } from '../../ui/TokenForm.tsx';

/** What a sign-in meets as long as the site keeps no stays. */
const NO_STAY = 'Aucun séjour n’est encore ouvert sur ce site.';

/** Number and password of a stay; the link of a mail fills the number in. */
export function StaySignInForm() {
  const [search] = useSearchParams();
  return (
    <TokenForm
      send={async () => NO_STAY}
      onDone={(trouble) => trouble}
      action="Se connecter"
      busy="Se connecter"
    >
      {(errors) => (
        <TextField
          label="Numéro du séjour"
          name="stageId"
          isRequired
          inputMode="numeric"
          autoComplete="username"
          error={errors.stageId}
          maxLength={15}
          defaultValue={search.get('stageId')?.match(/^\d{1,15}$/)?.[0]}
        />
      )}
    </TokenForm>
  );
}
