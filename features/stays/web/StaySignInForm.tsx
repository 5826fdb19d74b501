import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { keepStay, replacedTokens } from '#platform/web/session.ts';
import { useSite } from '#platform/web/site.tsx';
import { Field } from '#platform/web/ui/Field.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { NOT_KEPT, TokenForm } from '#platform/web/ui/TokenForm.tsx';
import { LostCode } from './LostCode.tsx';
import { STAYS, STAYS_FAILED, stayLabel } from './stays.ts';
import { addressOfStay } from './useSwitchStay.ts';

/** Number and password of a stay, and what helps whoever lost them. `givenNumber`: the one that is filled in. */
export function StaySignInForm({ givenNumber = '' }: { givenNumber?: string | undefined }) {
  const [number, setNumber] = useState(givenNumber);
  const named = useNamedStay(number);
  const { locale } = useSite();
  const { sayLeaving } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();

  function onDone(answer: ReplyOf<'POST /auth/login'>): string {
    const { stageId, nom_stage: nom, userRole: role, token, expire_le } = answer;
    const stay = { stageId, nom, role, token, expire_le };
    const replaced = replacedTokens(stay);
    if (!keepStay(stay)) {
      return NOT_KEPT;
    }
    for (const old of replaced) {
      // The cookie is that of the new sign-in already. What cannot be ended now ends by itself.
      call('POST /auth/logout', { token: old, cookies: false }).catch(() => {});
    }
    sayLeaving(answer.message);
    navigate(addressOfStay({ role, stageId }));
    // What was read as somebody else of the same stay, say.
    answers.clear();
    return '';
  }

  return (
    <>
      <TokenForm
        send={({ stageId = '', password = '' }) =>
          call('POST /auth/login', { body: { stageId: stageId.trim(), password } })
        }
        onDone={onDone}
        action="Se connecter"
        busy="Connexion…"
        takesFocus={givenNumber !== ''}
      >
        {(errors) => (
          <Field
            label="Numéro du séjour"
            name="stageId"
            isRequired
            error={errors.stageId}
            help={
              <span aria-live="polite">
                {named ? stayLabel(named, locale) : 'Il est dans l’e-mail avec le mot de passe.'}
              </span>
            }
          >
            {(control) => (
              <input
                {...control}
                type="text"
                className="input"
                inputMode="numeric"
                autoComplete="username"
                maxLength={15}
                defaultValue={givenNumber}
                onChange={({ target }) => setNumber(target.value)}
              />
            )}
          </Field>
        )}
      </TokenForm>
      <LostCode number={number} />
    </>
  );
}

/** The stay of a number, so that one sees that it is the right one. */
function useNamedStay(number: string) {
  const { data } = useQuestion(STAYS, STAYS_FAILED, {
    isAsked: /^\s*\d+\s*$/.test(number),
  });
  return data?.find(({ id }) => id === Number(number));
}
