import { Link } from 'react-router';
import { CONTACT_DAYS } from '#features/site/shared/promises.ts';
import { call } from '#platform/web/api.ts';
import { TextArea, TextField } from '#platform/web/ui/Field.tsx';
import { NeedsScript } from '#platform/web/ui/NeedsScript.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { useIsInBrowser } from '#platform/web/ui/useIsInBrowser.ts';

/** A message to the CSE, without an account. */
export function ContactForm() {
  const { say } = useNotices();
  // Not before somebody listens.
  const isInBrowser = useIsInBrowser();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { nom = '', email = '', message = '' } = textsOf(element);
      return call('POST /contact', { body: { nom, email, message } });
    },
    onDone: ({ message }, element) => {
      say(message);
      element.reset();
    },
    failure: 'Erreur lors de l’envoi du message',
  });
  return (
    <form {...form} className="mt-4 flex max-w-xl flex-col gap-5">
      <TextField label="Nom" name="nom" isRequired autoComplete="name" maxLength={100} error={errors.nom} />
      <TextField
        label="E-mail"
        name="email"
        type="email"
        isRequired
        autoComplete="email"
        maxLength={254}
        help="Pour vous répondre."
        error={errors.email}
      />
      <TextArea label="Message" name="message" isRequired rows={7} maxLength={5_000} error={errors.message} />
      <p className="text-sm text-quiet">
        Ce que vous écrivez ici sert à vous répondre et à rien d’autre. L’équipe du CSE est seule à le lire ;
        le site l’efface au plus tard {CONTACT_DAYS} jours après son arrivée. Vos droits sont dans la{' '}
        <Link to="/politique-confidentialite">politique de confidentialité</Link>.
      </p>
      <NeedsScript />
      <p>
        <button type="submit" className="button" aria-disabled={isBusy} disabled={!isInBrowser}>
          {isBusy ? 'Envoi…' : 'Envoyer'}
        </button>
      </p>
    </form>
  );
}
