import { useQueryClient } from '@tanstack/react-query';
import { PencilLine } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { childAddress, directorAddress } from '#features/stays/web/stays.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { call } from '#platform/web/api.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { focusContent } from '#platform/web/ui/dialogs.tsx';
import { FormButtons, TextField } from '#platform/web/ui/Field.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import type { MailMessage } from '../calls.ts';

const REFUSED = { key: 'GET /envois/refuses' } as const;

type Refused = ReplyOf<typeof REFUSED.key>[number];

/** Whether a provider refuses the message for where it comes from or what it is: another address mends nothing. */
const isUnwanted = ({ erreur }: Pick<MailMessage, 'erreur'>) => erreur === 'refuse';

/** The refused messages that nobody has mended yet; nothing when there is none. */
export function RefusedMails({ render }: { render(message: Refused): ReactNode }) {
  const { data = [] } = useQuestion(REFUSED);
  const section = (id: string, title: string, advice: string, messages: readonly Refused[]) =>
    messages.length > 0 && (
      <Section id={id} title={title} className="mb-8" look="text-xl">
        <p className="mt-1 mb-3 text-quiet">{advice}</p>
        <ul className="border-t border-mist">{messages.map(render)}</ul>
      </Section>
    );
  return (
    <>
      {section(
        'refuses',
        'À corriger',
        'Ces messages ont été refusés. Corrigez l’adresse\u202f: le message repart aussitôt.',
        data.filter((message) => !isUnwanted(message)),
      )}
      {section(
        'non-voulus',
        'Refusés par leur fournisseur',
        'L’adresse n’y est pour rien\u202f: ce fournisseur se méfie des messages de ce site. Renvoyez-les plus tard, depuis leur envoi\u202f; s’il refuse encore, montrez sa réponse à la personne qui héberge le site.',
        data.filter(isUnwanted),
      )}
    </>
  );
}

interface CorrectionProps {
  mailingId: number;
  message: MailMessage;
}

export function Correction({ mailingId, message }: CorrectionProps) {
  const [isOpen, setOpen] = useState(false);
  const { personnes, stageId, destinataire } = message;
  if (personnes.length === 0) return null;
  return (
    <>
      <p className="text-sm">
        {personnes[0]?.nature === 'enfant' ? 'Famille de ' : 'Directeur\u202f: '}
        {personnes.map(({ nature, id, prenom, nom }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link
              to={nature === 'enfant' ? childAddress({ id, stageId: stageId ?? 0 }) : directorAddress(id)}
            >
              {prenom} {nom}
            </Link>
          </span>
        ))}
      </p>
      {isUnwanted(message) ? null : isOpen ? (
        <CorrectionForm mailingId={mailingId} message={message} onClose={() => setOpen(false)} />
      ) : (
        <Button
          quiet
          className="mt-2 mb-2"
          aria-label={`Corriger l’adresse ${destinataire}`}
          onClick={() => setOpen(true)}
        >
          <PencilLine className="size-5" />
          Corriger l’adresse
        </Button>
      )}
    </>
  );
}

function CorrectionForm({ mailingId: id, message, onClose }: CorrectionProps & { onClose(): void }) {
  const { id: n, destinataire } = message;
  const { say } = useNotices();
  const answers = useQueryClient();
  const { form, errors, isBusy } = useForm({
    send: (element) => {
      const { email = '' } = textsOf(element);
      return call('PUT /envois/:id/messages/:n/adresse', { params: { id, n }, body: { email } });
    },
    onDone: (answer) => {
      say(answer.message);
      void answers.invalidateQueries();
      onClose();
      focusContent();
    },
    failure: 'Erreur lors de la correction de l’adresse',
  });
  useEffect(() => form.ref.current?.querySelector('input')?.select(), [form.ref]);
  return (
    <form
      {...form}
      className="well my-2 flex flex-col gap-4"
      aria-label={`Nouvelle adresse pour ${destinataire}`}
    >
      <TextField
        label="Nouvelle adresse"
        name="email"
        type="email"
        isRequired
        defaultValue={destinataire}
        help="Elle remplace l’ancienne partout où celle-ci est inscrite."
        error={errors.email}
      />
      <FormButtons yes="Corriger et renvoyer" busy="Envoi…" isBusy={isBusy} onCancel={onClose} />
    </form>
  );
}
