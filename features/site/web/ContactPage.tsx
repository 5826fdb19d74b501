import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { call } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { NeedsScript, useIsInBrowser } from '#platform/web/ui/inBrowser.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { CONTACT_DAYS } from '../shared/limits.ts';

/** A message to the CSE, without an account. A link to this page begins it anew. */
export function ContactPage() {
  return <Contact key={useLocation().key} />;
}

function Contact() {
  const [sentTo, setSentTo] = useState<string>();
  const title = useRef<HTMLHeadingElement>(null);
  const another = () => {
    setSentTo(undefined);
    title.current?.focus();
  };
  return (
    <div className="page max-w-3xl">
      <h1 ref={title} tabIndex={-1}>
        Contact
      </h1>
      {sentTo === undefined ? (
        <>
          <p className="mt-3 max-w-[60ch] text-lg">
            Une question sur un avantage, un événement ou un séjour{'\u202f'}? Une idée, une difficulté
            {'\u202f'}? Écrivez-nous{'\u202f'}: l’équipe du CSE vous répond, en général dans la semaine.
          </p>
          <ContactForm onSent={setSentTo} />
        </>
      ) : (
        <Sent to={sentTo} onAnother={another} />
      )}
    </div>
  );
}

function Sent({ to, onAnother }: { to: string; onAnother(): void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="well mt-6 flex flex-wrap items-center gap-x-8 gap-y-4">
      <Drawing name="campfire" className="h-28 w-40" />
      <div className="flex-1 basis-72">
        <h2 ref={title} tabIndex={-1}>
          Votre message est parti
        </h2>
        <p className="mt-2 wrap-anywhere">
          Nous vous répondrons à <strong>{to}</strong>.
        </p>
        <p className="mt-4 flex flex-wrap gap-3">
          <Link className="button" to="/">
            Retour à l’accueil
          </Link>
          <Button quiet onClick={onAnother}>
            Écrire un autre message
          </Button>
        </p>
      </div>
    </div>
  );
}

function ContactForm({ onSent }: { onSent(to: string): void }) {
  const { say } = useNotices();
  // Disabled until the page is hydrated and can handle a submit.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: async (element) => {
      const { nom = '', email = '', message = '' } = textsOf(element);
      const answer = await call('POST /contact', { body: { nom, email, message } });
      return { ...answer, email };
    },
    onDone: ({ message, email }) => {
      say(message);
      onSent(email);
    },
    failure: 'Erreur lors de l’envoi du message',
  });
  return (
    <form {...form} className="mt-6 flex max-w-xl flex-col gap-5">
      <TextField
        label="Nom"
        name="nom"
        isRequired
        missing="indiquez votre nom."
        autoComplete="name"
        maxLength={100}
        error={errors.nom}
      />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        isRequired
        missing="indiquez l’adresse à laquelle vous répondre."
        autoComplete="email"
        help="Pour vous répondre."
        error={errors.email}
      />
      <TextArea
        label="Message"
        name="message"
        isRequired
        missing="écrivez votre message."
        rows={7}
        maxLength={5_000}
        error={errors.message}
      />
      <p className="text-sm text-quiet">
        Votre message sert à vous répondre, et à rien d’autre. Seule l’équipe du CSE le lit. Le site l’efface
        au plus tard {CONTACT_DAYS} jours après son arrivée. Pour connaître vos droits, lisez la{' '}
        <Link to="/politique-confidentialite">politique de confidentialité</Link>.
      </p>
      <NeedsScript />
      <p>
        <Button type="submit" aria-disabled={isBusy} disabled={!isInBrowser}>
          {isBusy ? 'Envoi…' : 'Envoyer'}
        </Button>
      </p>
    </form>
  );
}
