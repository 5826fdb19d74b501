import { useId } from 'react';

interface DeleteAllProps {
  isBusy?: boolean;
  onAsked(): void;
}

/** What empties a stay, apart from the rest. */
export function DeleteAll({ isBusy = false, onAsked }: DeleteAllProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-6 border-t border-mist pt-6">
      <h2 id={id} className="text-xl">
        Après la saison
      </h2>
      <p className="mt-2 mb-4 text-quiet">
        Effacez les enfants d’un séjour et les adresses de leurs familles dès qu’ils ne servent plus. Le
        séjour reste.
      </p>
      <button type="button" className="button danger" aria-disabled={isBusy} onClick={onAsked}>
        Supprimer tous les stagiaires de ce séjour
      </button>
    </section>
  );
}
