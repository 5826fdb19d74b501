import { Camera, CameraOff, CircleHelp, Clock, FileText, MapPin, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReplyOf } from '#platform/shared/call.ts';
import { addressOfFolder } from '#platform/shared/pictures.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { useSite } from '#platform/web/site.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { telephoneAddress } from '#platform/web/ui/texts.ts';
import type { ChildSeen } from '../../calls.ts';
import { CATEGORIES, type Category } from '../../shared/terms.ts';
import { bookletsQuestion, childrenQuestion, directorsQuestion } from '../stays.ts';
import { Part, partOf, type StayShown } from './StayFrame.tsx';

/* Parts of the pages of a stay: its people, its booklets and what families need to know. */

/** Groups of children by consent; those who must not be on photos first, so that nobody must look for them. */
const GROUPS = [
  {
    consent: 'non',
    Icon: CameraOff,
    title: 'Pas de photo',
    help: 'Leur famille refuse\u202f: ils ne doivent être reconnaissables sur aucune photo.',
  },
  {
    consent: 'inconnu',
    Icon: CircleHelp,
    title: 'Accord inconnu',
    help: 'Faites comme pour un refus, et voyez avec le CSE.',
  },
  { consent: 'oui', Icon: Camera, title: 'Accord donné', help: '' },
] as const;

export function Children({ stageId }: { stageId: number }) {
  const { locale } = useSite();
  const query = useQuestion(childrenQuestion(stageId, 'stay'));
  return (
    <Part id="enfants" title="Les enfants">
      <LoadState query={query} failed="La liste des enfants n’a pas pu être chargée.">
        {(answer) => {
          // Directors get only these fields of a child.
          const list = (answer as readonly ChildSeen[]).toSorted((one, other) =>
            one.prenom.localeCompare(other.prenom, locale),
          );
          return (
            <>
              <p>{countOf(list)}</p>
              {GROUPS.map((group) => (
                <Group
                  key={group.consent}
                  group={group}
                  list={list.filter((child) => child.consentement_image === group.consent)}
                />
              ))}
            </>
          );
        }}
      </LoadState>
    </Part>
  );
}

/** « 24 enfants, dont 5 à ne pas photographier. » */
function countOf(list: readonly ChildSeen[]): string {
  if (list.length === 0) return 'Aucun enfant n’est encore inscrit à ce séjour.';
  const all = list.length === 1 ? 'Un enfant' : `${list.length}\u00a0enfants`;
  const hidden = list.filter(({ consentement_image }) => consentement_image !== 'oui').length;
  if (hidden === 0) return `${all}, avec l’accord de leur famille pour les photos.`;
  return `${all}, dont ${hidden} à ne pas photographier.`;
}

interface GroupProps {
  group: (typeof GROUPS)[number];
  list: readonly ChildSeen[];
}

function Group({ group: { Icon, title, help, consent }, list }: GroupProps) {
  if (list.length === 0) return null;
  return (
    <div className={consent === 'oui' ? '' : 'rounded-control bg-mist p-4'}>
      <h3 className="flex items-center gap-2">
        <Icon className={`size-5 shrink-0 ${consent === 'oui' ? 'text-pine' : 'text-coral'}`} />
        {title} ({list.length})
      </h3>
      {help && <p className="text-sm text-quiet">{help}</p>}
      <ul className="mt-2 columns-[7.5rem] gap-x-4">
        {list.map(({ id, prenom, initiale }) => (
          <li key={id} className="break-inside-avoid py-0.5 wrap-anywhere">
            {prenom} {initiale}.
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Directors({ stageId }: { stageId: number }) {
  const query = useQuestion(directorsQuestion(stageId));
  return (
    <Part id="direction" title="La direction">
      <LoadState query={query} failed="La liste des directeurs n’a pas pu être chargée.">
        {(list) =>
          list.length > 0 ? (
            <ul className="flex flex-col gap-1">
              {list.map(({ id, prenom, nom, cat }) => (
                <li key={id} className="wrap-anywhere">
                  {prenom} {nom} <span className="text-quiet">— {CATEGORIES[cat as Category]}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-quiet">Le CSE n’a encore nommé personne.</p>
          )
        }
      </LoadState>
    </Part>
  );
}

export function Booklets({ stageId, as, of }: StayShown & { stageId: number }) {
  const query = useQuestion(bookletsQuestion(stageId, as));
  return (
    <Part {...partOf('livrets', stageId, { as, of })} title="Livrets">
      <LoadState query={query} failed="Les livrets n’ont pas pu être chargés.">
        {(names) =>
          names.length > 0 ? (
            <ul className="-my-2 divide-y divide-mist">
              {names.map((name) => (
                <li key={name}>
                  <a
                    href={`${addressOfFolder('doc_stage_formateur')}${encodeURIComponent(name)}`}
                    target="_blank"
                    rel="noopener"
                    className="flex min-h-12 items-center gap-3 py-2 wrap-anywhere"
                  >
                    <FileText className="size-5 shrink-0" />
                    <span className="min-w-0">
                      {name.replace(/\.pdf$/i, '')}
                      <span className="sr-only"> (PDF, nouvel onglet)</span>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-quiet">Aucun livret pour le moment.</p>
          )
        }
      </LoadState>
    </Part>
  );
}

type Stay = Pick<
  ReplyOf<'GET /stages/:id'>,
  'id' | 'adresse' | 'horaires' | 'telephone_urgence' | 'consignes' | 'lieu'
>;

/** Practical information that staff wrote for families; blank fields are not shown. */
export function PracticalInfo({ stay, as = 'stay', of }: Partial<StayShown> & { stay: Stay }) {
  const { adresse, horaires, telephone_urgence, consignes, lieu } = stay;
  const isBlank = [adresse, horaires, telephone_urgence, consignes].every((text) => text.trim() === '');
  return (
    <Part {...partOf('infos', stay.id, { as, of })} title="Informations pratiques">
      {lieu === 'lien' && (
        <p className="well">
          L’adresse, les horaires et le téléphone s’affichent pour qui ouvre le séjour par le lien de son
          e-mail ou de son étiquette.
        </p>
      )}
      {isBlank && lieu !== 'lien' ? (
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
        <Icon className="size-5 shrink-0 text-pine" />
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
