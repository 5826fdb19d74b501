import { useState } from 'react';
import type { Director } from '#features/stays/calls.ts';
import type { Category } from '#features/stays/shared/terms.ts';
import type { NamedStay } from '#features/stays/web/stays.ts';
import { call } from '#platform/web/api.ts';
import { useUnsaved } from '#platform/web/ui/unsaved.ts';
import { useForm } from '#platform/web/ui/useForm.ts';
import { CategoryField, NewPasswordsTick } from './DirectorForm.tsx';
import { INCOMPLETE, useDirectorsAgain, useNewPasswords } from './directors.ts';
import { StayTicks } from './StayTicks.tsx';

interface AssignFormProps {
  director: Director;
  stays: readonly NamedStay[];
}

/** The stays of one director, ticked; saved as a whole. */
export function AssignForm({ director, stays }: AssignFormProps) {
  /** Ids of the stays whose tick was changed, whatever is saved meanwhile. */
  const [changed, setChanged] = useState<readonly number[]>([]);
  const [cat, setCat] = useState<Category | ''>('');
  const [isRenewing, setRenewing] = useState(true);
  useUnsaved(changed.length > 0);
  const askAgain = useDirectorsAgain();
  const giveNewPasswords = useNewPasswords();
  const { sejours, id, nom, prenom, mail, telephone, version } = director;
  const present = sejours.map(({ stageId }) => stageId);
  const gone = sejours.filter(({ stageId }) => changed.includes(stageId));
  const added = changed.filter((one) => !present.includes(one));
  const stageIds = [...present.filter((one) => !changed.includes(one)), ...added];

  const { form, errors, isBusy } = useForm({
    send: async () => {
      // Where nothing is added the type stands for nothing: the one that is there is as good as another.
      const type = (cat || sejours[0]?.cat) as Category;
      const body = { nom, prenom, mail, telephone, version, cat: type, stageIds };
      const { message } = await call('PUT /formateurs/:id', { params: { id }, body });
      await giveNewPasswords(message, isRenewing ? gone : []);
      await askAgain();
    },
    onDone: () => {
      setChanged([]);
      setCat('');
      setRenewing(true);
    },
    failure: 'Erreur lors de la mise à jour du formateur',
    incomplete: INCOMPLETE,
    onFailed: () => {
      // Somebody else was faster, and the ticks show it.
      askAgain();
      return false;
    },
  });
  const toggle = (stageId: number) => {
    const others = changed.filter((one) => one !== stageId);
    setChanged(others.length < changed.length ? others : [...others, stageId]);
  };
  return (
    <form {...form} className="flex flex-col gap-6">
      <div inert={isBusy} className="flex flex-col gap-6">
        <StayTicks
          stays={stays}
          sejours={sejours}
          changed={changed}
          onToggle={toggle}
          error={errors.stageIds}
        />
        <CategoryField
          label="Type pour les séjours ajoutés"
          help="Les séjours gardés ne changent pas de type."
          isRequired={added.length > 0 || sejours.length === 0}
          error={errors.cat}
          value={cat}
          onChoose={setCat}
        />
        {gone.length > 0 && (
          <NewPasswordsTick count={gone.length} isTicked={isRenewing} onTick={setRenewing} />
        )}
      </div>
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Enregistrement…' : 'Enregistrer'}
        </button>
      </p>
    </form>
  );
}
