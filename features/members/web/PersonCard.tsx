import { Mail, Phone } from 'lucide-react';
import type { ChartNode } from '#features/members/calls.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { illustrationOf, Picture } from '#platform/web/ui/Picture.tsx';
import { Marked } from '#platform/web/ui/SearchBox.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import { nameOf } from './useChart.ts';

const CONTACT = 'flex min-h-11 items-center gap-2 text-sm print:min-h-0';

/** A person's name and post, and the contact details that visitors may see. */
export function PersonCard({ person, asked }: { person: ChartNode; asked: readonly string[] }) {
  const { poste, role, email, telephone } = person;
  return (
    <>
      <div className="flex items-center gap-3">
        <Portrait person={person} />
        <div className="min-w-0 leading-snug wrap-anywhere">
          <p className="font-title text-lg leading-tight font-semibold">
            <Marked text={nameOf(person)} asked={asked} />
          </p>
          <p className="mt-1 text-sm">
            <Marked text={poste} asked={asked} />
          </p>
          {role === 'Responsable' && <p className="mt-1 text-xs font-semibold text-quiet">Responsable</p>}
        </div>
      </div>
      {(email || telephone) && (
        <div className="mt-1 print:flex print:flex-wrap print:gap-x-6">
          {email && (
            <a href={`mailto:${email}`} className={CONTACT}>
              <Mail aria-hidden="true" className="size-4 shrink-0" />
              <span className="min-w-0 wrap-anywhere">{email}</span>
            </a>
          )}
          {telephone && <Telephone text={telephone} />}
        </div>
      )}
    </>
  );
}

function Telephone({ text }: { text: string }) {
  const shown = (
    <>
      <Phone aria-hidden="true" className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </>
  );
  const address = telephoneAddress(text);
  if (!address) return <p className={CONTACT}>{shown}</p>;
  return (
    <a href={address} className={CONTACT}>
      {shown}
    </a>
  );
}

const COLOURS = ['bg-pine text-on-pine', 'bg-sun text-on-sun', 'bg-lake text-card', 'bg-mist text-pine'];
const SHAPE = 'size-16 shrink-0 rounded-full print:size-10';

function Portrait({ person }: { person: ChartNode }) {
  const { id, prenom, nom, photo, illustrations, cadrage_x, cadrage_y } = person;
  const illustration = illustrationOf(photo, illustrations);
  if (illustration) {
    return (
      <Picture
        illustration={illustration}
        folder={addressOfFolder('images_stages')}
        sizes="64px"
        position={`${cadrage_x}% ${cadrage_y}%`}
        className={SHAPE}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={`flex items-center justify-center font-title text-xl font-semibold uppercase print:border print:text-base print:text-ink ${SHAPE} ${COLOURS[id % COLOURS.length]}`}
    >
      {[...prenom].slice(0, 1)}
      {[...nom].slice(0, 1)}
    </span>
  );
}
