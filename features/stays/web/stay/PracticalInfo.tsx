import { Clock, MapPin, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import { Part } from './StayFrame.tsx';

type Stay = Pick<ReplyOf<'GET /stages/:id'>, 'adresse' | 'horaires' | 'telephone_urgence' | 'consignes'>;

/** Practical information that staff wrote for families; blank fields are not shown. */
export function PracticalInfo({ stay }: { stay: Stay }) {
  const { adresse, horaires, telephone_urgence, consignes } = stay;
  const isBlank = [adresse, horaires, telephone_urgence, consignes].every((text) => text.trim() === '');
  return (
    <Part id="infos" title="Informations pratiques">
      {isBlank ? (
        <p className="text-quiet">L’équipe du CSE n’a encore rien noté ici.</p>
      ) : (
        <dl className="flex flex-col gap-4 wrap-anywhere">
          <Info Icon={Phone} label="En cas d’urgence" text={telephone_urgence}>
            <EmergencyNumber text={telephone_urgence} />
          </Info>
          <Info Icon={MapPin} label="Adresse" text={adresse} />
          <Info Icon={Clock} label="Horaires" text={horaires} />
        </dl>
      )}
      {consignes.trim() !== '' && (
        <div>
          <h3>Consignes</h3>
          <div className="prose mt-2">
            {consignes
              .trim()
              .split(/\n{2,}/)
              .map((paragraph, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs of a text that does not change
                <p key={index} className="whitespace-pre-line">
                  {paragraph}
                </p>
              ))}
          </div>
        </div>
      )}
    </Part>
  );
}

interface InfoProps {
  Icon: typeof Phone;
  label: string;
  text: string;
  /** Shown instead of the plain text. */
  children?: ReactNode;
}

function Info({ Icon, label, text, children = text }: InfoProps) {
  if (text.trim() === '') return null;
  return (
    <div>
      <dt className="flex items-center gap-3 font-semibold">
        <Icon aria-hidden="true" className="size-5 shrink-0 text-pine" />
        {label}
      </dt>
      <dd className="ml-8 whitespace-pre-line">{children}</dd>
    </div>
  );
}

function EmergencyNumber({ text }: { text: string }) {
  const address = telephoneAddress(text);
  if (!address) return text;
  return (
    <a href={address} className="inline-flex min-h-11 items-center text-lg font-semibold">
      {text}
    </a>
  );
}
