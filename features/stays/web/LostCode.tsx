import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { useIsInBrowser } from '#platform/web/ui/useIsInBrowser.ts';

/** The codes again, by e-mail, for whoever has lost them. `number`: of the stay, as far as it is typed above. */
export function LostCode({ number }: { number: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  return (
    <div className="mt-3">
      <button
        type="button"
        className="-ml-2 inline-flex min-h-11 items-center gap-1 px-2 font-semibold text-lake underline underline-offset-3"
        aria-expanded={isOpen}
        aria-controls={id}
        disabled={!isInBrowser}
        onClick={() => setOpen(!isOpen)}
      >
        Code perdu{'\u202f'}?
        <ChevronDown
          aria-hidden="true"
          className={`size-5 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={id}>{isOpen && <LostCodeForm number={number} />}</div>
    </div>
  );
}

function LostCodeForm({ number }: { number: string }) {
  const [answer, setAnswer] = useState('');
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      setAnswer('');
      const { stageId = '', email = '' } = textsOf(element);
      return call('POST /auth/code-perdu', { body: { stageId: stageId.trim(), email } });
    },
    onDone: ({ message }) => setAnswer(message),
    failure: 'Le code n’a pas pu être demandé.',
  });
  return (
    <form {...form} aria-label="Recevoir le code de nouveau" className="well mt-2 flex flex-col gap-5">
      <p className="text-sm">
        Donnez l’adresse à laquelle vous avez reçu le premier message{'\u202f'}: le code y est envoyé de
        nouveau. Elle ne sert à rien d’autre.
      </p>
      <TextField
        label="Numéro du séjour"
        name="stageId"
        isRequired
        inputMode="numeric"
        maxLength={15}
        defaultValue={number.trim()}
        error={errors.stageId}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        isRequired
        autoComplete="email"
        maxLength={254}
        error={errors.email}
      />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy}>
          {isBusy ? 'Envoi…' : 'Recevoir le code'}
        </button>
      </p>
      <div role="status">{answer && <p className="font-semibold">{answer}</p>}</div>
    </form>
  );
}
