import { useState } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useAskAgain, useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { dayOf } from '#platform/web/ui/texts.ts';
import { ConfirmSecret } from './ConfirmSecret.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { SECOND_FACTOR } from './questions.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

/** One’s own sign-in in two steps: set up with a secret and a first code, then ten codes to write down; or stopped. */
export function SecondFactor() {
  const state = useQuestion(
    SECOND_FACTOR,
    'Erreur lors de la lecture de l’état de la connexion en deux étapes:',
  );
  const askAgain = useAskAgain(SECOND_FACTOR);
  const { say } = useNotices();
  const [begun, setBegun] = useState<ReplyOf<'POST /admins/moi/second-facteur'>>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onNoted={() => setCodes(undefined)} />;
  if (begun) {
    return (
      <ConfirmSecret
        begun={begun}
        onConfirmed={({ message, codes_secours }) => {
          say(message);
          setBegun(undefined);
          setCodes(codes_secours);
          askAgain();
        }}
        onCancel={() => setBegun(undefined)}
      />
    );
  }
  return (
    <LoadState query={state} failed="L’état de la connexion en deux étapes n’a pas pu être chargé.">
      {({ actif_le, codes_restants }) =>
        actif_le === null ? (
          <PasswordStep
            intro={INTRO}
            send={(mot_de_passe) => call('POST /admins/moi/second-facteur', { body: { mot_de_passe } })}
            onDone={setBegun}
            action="Mettre en place"
            busy="Préparation…"
            failure="Erreur lors de la mise en place de la connexion en deux étapes"
          />
        ) : (
          <PasswordStep
            intro={<InPlace since={actif_le} codesLeft={codes_restants} />}
            send={(mot_de_passe) => call('POST /admins/moi/second-facteur/arret', { body: { mot_de_passe } })}
            onDone={({ message }) => {
              say(message);
              askAgain();
            }}
            action="Arrêter"
            busy="Arrêt…"
            isDanger
            failure="Erreur lors de l’arrêt de la connexion en deux étapes"
          />
        )
      }
    </LoadState>
  );
}

const INTRO =
  'Un mot de passe se devine ou se vole. Avec la connexion en deux étapes, votre compte demande aussi un code que ' +
  'seul votre téléphone connaît. Il y faut une application de codes, dite d’authentification\u202f; beaucoup ' +
  'd’applications de mots de passe en font office.';

function InPlace({ since, codesLeft }: { since: string; codesLeft: number }) {
  const { locale, timeZone } = useSite();
  const left = codesLeft === 1 ? 'Il reste 1 code de secours' : `Il reste ${codesLeft} codes de secours`;
  return (
    <>
      En place depuis le {dayOf(since, locale, timeZone)}. {left}
      {'\u202f'}; pour en avoir dix nouveaux, ou pour changer de téléphone, arrêtez-la puis remettez-la en
      place.
    </>
  );
}
