import { KeyRound } from 'lucide-react';
import { useRef } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { TextField } from '#platform/web/ui/Field.tsx';
import { useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { textsOf, useAction, useForm } from '#platform/web/ui/useForm.ts';
import { hasPasskeys, makePasskey } from './passkeys.ts';

interface PasskeysProps {
  passkeys: ReplyOf<'GET /admins/moi/second-facteur'>['cles'];
  /** Called with the recovery codes that the first one gave. */
  onCodes(codes: readonly string[]): void;
  askAgain(): Promise<unknown>;
}

export function Passkeys({ passkeys, onCodes, askAgain }: PasskeysProps) {
  const isPossible = useIsInBrowser() && hasPasskeys();
  const list = useRef<HTMLUListElement>(null);
  const { say } = useNotices();
  const { locale, timeZone } = useSite();
  const { isBusy, run } = useAction(askAgain);
  const remove = (id: number, nom: string) =>
    run(
      async () => {
        say((await call('DELETE /admins/moi/cles-acces/:id', { params: { id } })).message);
        // The button that had the focus is gone.
        list.current?.focus({ preventScroll: true });
      },
      'Erreur lors de la suppression de la clé d’accès',
      {
        question: `Supprimer la clé d’accès «\u00a0${nom}\u00a0»\u202f?`,
        consequence:
          'Elle n’ouvrira plus votre compte. L’appareil la montre encore tant que vous ne l’y effacez pas.',
        yes: 'Supprimer',
      },
    );
  return (
    <>
      <p>
        Une clé d’accès remplace le mot de passe et le code{'\u202f'}: votre appareil demande votre doigt,
        votre visage ou son propre code, et le compte s’ouvre. Elle ne se devine pas, et un faux site ne peut
        pas la prendre.
      </p>
      <ul ref={list} tabIndex={-1} className={passkeys.length > 0 ? 'mt-5 border-t border-mist' : ''}>
        {passkeys.map(({ id, nom, created_at, vu_le }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-mist py-3"
          >
            <div className="min-w-0 flex-1 basis-60">
              <p className="font-semibold wrap-anywhere">{nom}</p>
              <p className="text-sm text-quiet">
                ajoutée le {dayOf(created_at, locale, timeZone)}
                {vu_le ? `, utilisée le ${dayOf(vu_le, locale, timeZone)}` : ', jamais utilisée'}
              </p>
            </div>
            <Button
              quiet
              aria-disabled={isBusy}
              aria-label={`Supprimer la clé d’accès ${nom}`}
              onClick={() => remove(id, nom)}
            >
              Supprimer
            </Button>
          </li>
        ))}
      </ul>
      {isPossible ? (
        <AddPasskey onCodes={onCodes} askAgain={askAgain} />
      ) : (
        <p className="well mt-5">Ce navigateur n’a pas de clés d’accès à cette adresse.</p>
      )}
    </>
  );
}

function AddPasskey({ onCodes, askAgain }: Pick<PasskeysProps, 'onCodes' | 'askAgain'>) {
  const { say } = useNotices();
  const { form, errors, isBusy } = useForm({
    send: (element) => makePasskey(textsOf(element).nom ?? ''),
    onDone: (made, element) => {
      if (!made) return;
      say(made.message);
      element.reset();
      if (made.codes_secours.length > 0) onCodes(made.codes_secours);
      askAgain();
    },
    failure: 'Erreur lors de l’ajout de la clé d’accès',
  });
  return (
    <form {...form} className="mt-5 flex flex-col gap-5">
      <TextField
        label="Nom de la clé"
        name="nom"
        isRequired
        missing="donnez-lui un nom, pour la reconnaître."
        maxLength={100}
        placeholder="Ordinateur du bureau"
        help="Ce qui vous dira plus tard sur quel appareil elle est."
        error={errors.nom}
      />
      <p>
        <Button type="submit" aria-disabled={isBusy}>
          <KeyRound className="size-5" />
          {isBusy ? 'Votre appareil vous le demande…' : 'Ajouter une clé d’accès'}
        </Button>
      </p>
    </form>
  );
}
