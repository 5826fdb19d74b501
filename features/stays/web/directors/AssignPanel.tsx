import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { useSearch } from '#platform/web/history.tsx';
import { panelAddress } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useConfirmLeaving, useUnsaved } from '#platform/web/ui/dialogs.tsx';
import { SelectField, SubmitButton } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { useForm } from '#platform/web/ui/useForm.ts';
import type { Director } from '../../calls.ts';
import { CATEGORIES, type Category } from '../../shared/terms.ts';
import { StayListState, TickedStay, TickedStays } from '../StaySelect.tsx';
import { type NamedStay, STAYS } from '../stays.ts';
import {
  CategoryField,
  DIRECTORS,
  type DirectedStay,
  INCOMPLETE,
  NewPasswordsTick,
  nameOf,
  useDirectorsAgain,
  useNewPasswords,
} from './DirectorForm.tsx';

export function AssignPanel() {
  const directors = useQuestion(DIRECTORS);
  const stays = useQuestion(STAYS);
  const nobody = (
    <>
      Aucun directeur pour le moment.
      <Link className="button mt-3 flex w-fit" to={panelAddress('directeurs')}>
        Ajouter un directeur
      </Link>
    </>
  );
  return (
    <div className="max-w-3xl">
      <h1 className="mb-6">Affecter des séjours</h1>
      <StayListState query={stays}>
        {(all) => (
          <ListState query={directors} failed="Les directeurs n’ont pas pu être chargés." empty={nobody}>
            {(people) => <Assignment stays={all} directors={people} />}
          </ListState>
        )}
      </StayListState>
    </div>
  );
}

function Assignment({ stays, directors }: { stays: readonly NamedStay[]; directors: readonly Director[] }) {
  const search = useSearch();
  const [id, setId] = useState(search.get('directeur') ?? '');
  const confirmLeaving = useConfirmLeaving();
  const director = directors.find((one) => String(one.id) === id);
  const choose = async (value: string) => {
    if (await confirmLeaving()) setId(value);
  };
  return (
    <div className="flex flex-col gap-6">
      <SelectField label="Directeur" name="formateur" isRequired value={director?.id ?? ''} onChoose={choose}>
        <option value="">Choisissez…</option>
        {directors.map((one) => (
          <option key={one.id} value={one.id}>
            {nameOf(one)}
          </option>
        ))}
      </SelectField>
      {director && <AssignForm key={director.id} director={director} stays={stays} />}
    </div>
  );
}

function AssignForm({ director, stays }: { director: Director; stays: readonly NamedStay[] }) {
  /** Ids of the stays whose tick was changed, independent of what is saved meanwhile. */
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
      // The type only applies to added stays; when none is added, any valid type will do.
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
    failure: 'Erreur lors de la mise à jour du directeur',
    incomplete: INCOMPLETE,
    onFailed: () => {
      // Somebody else may have made a change first: reload, so that the ticks show it.
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
        <SubmitButton yes="Enregistrer" busy="Enregistrement…" isBusy={isBusy} />
      </p>
    </form>
  );
}

interface StayTicksProps {
  stays: readonly NamedStay[];
  /** Stays that the director is assigned to now. */
  sejours: readonly DirectedStay[];
  changed: readonly number[];
  onToggle(id: number): void;
  error: string | undefined;
}

/** All stays, ticked where the director is assigned, each with what saving will change. */
function StayTicks({ stays, sejours, changed, onToggle, error }: StayTicksProps) {
  const typeOf = (stay: NamedStay) => sejours.find(({ stageId }) => stageId === stay.id)?.cat;
  const isTicked = (stay: NamedStay) => (typeOf(stay) !== undefined) !== changed.includes(stay.id);
  // Assigned stays come first, and keep their place while ticks change.
  const ordered = [...stays.filter(typeOf), ...stays.filter((stay) => !typeOf(stay))];
  return (
    <TickedStays stays={ordered} count={stays.filter(isTicked).length} error={error}>
      {(shown) => (
        <ul className="max-h-96 overflow-y-auto rounded-control border border-edge bg-card px-3 py-1">
          {shown.map((stay) => (
            <TickedStay key={stay.id} stay={stay} isTicked={isTicked(stay)} onTick={() => onToggle(stay.id)}>
              <ChangeLabel type={typeOf(stay)} isChanged={changed.includes(stay.id)} />
            </TickedStay>
          ))}
        </ul>
      )}
    </TickedStays>
  );
}

function ChangeLabel({ type, isChanged }: { type: Category | undefined; isChanged: boolean }) {
  if (isChanged) {
    return (
      <span className={`text-sm font-semibold ${type ? 'text-coral' : 'text-pine'}`}>
        {type ? 'à retirer' : 'à ajouter'}
      </span>
    );
  }
  return type && <span className="rounded-full bg-mist px-3 text-sm font-semibold">{CATEGORIES[type]}</span>;
}
