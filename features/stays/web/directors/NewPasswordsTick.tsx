interface NewPasswordsTickProps {
  /** How many stays somebody no longer directs. */
  count: number;
  /** As it stands when it comes, or comes back. */
  isTicked: boolean;
  onTick(isTicked: boolean): void;
}

/** Whether those who stay get another password; ticked, as whoever leaves knows the present one. */
export function NewPasswordsTick({ count, isTicked, onTick }: NewPasswordsTickProps) {
  return (
    <div className="well">
      <label className="flex min-h-11 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          className="size-5 shrink-0"
          defaultChecked={isTicked}
          onChange={({ target }) => onTick(target.checked)}
        />
        {`Donner un nouveau mot de passe aux directeurs de ${count > 1 ? `ces ${count} séjours` : 'ce séjour'}`}
      </label>
      <p className="text-sm text-quiet">
        Sinon, cette personne pourra encore ouvrir les photos avec l’ancien. Les autres directeurs se
        reconnecteront avec le nouveau, qui leur est envoyé par e-mail.
      </p>
    </div>
  );
}
