import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { RECIPIENTS } from './mailings.ts';

const PURPOSES: Record<PasswordType, string> = {
  stagiaire: 'le mot de passe qui ouvre les photos',
  formateur: 'celui de la direction du séjour',
};

interface RecipientsFieldProps {
  type: PasswordType;
  onChoose(type: PasswordType): void;
}

/** Whose codes are sent, to them. */
export function RecipientsField({ type, onChoose }: RecipientsFieldProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold">Destinataires</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {(Object.keys(PASSWORD_TYPES) as PasswordType[]).toReversed().map((value) => (
          <label key={value} className="choice flex! items-center gap-3">
            <input
              type="radio"
              name="type"
              value={value}
              checked={type === value}
              onChange={() => onChoose(value)}
              className="size-5 shrink-0"
            />
            <span>
              <span className="block font-semibold">{RECIPIENTS[value]}</span>
              <span className="text-sm text-quiet">{PURPOSES[value]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
