import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { kindOfGenre } from '#features/content/shared/kinds.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { panelAddress, usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { DoubtfulClock } from './DoubtfulClock.tsx';
import { GettingStarted } from './GettingStarted.tsx';
import { Health } from './Health.tsx';

type Dashboard = ReplyOf<'GET /tableau-de-bord'>;

/** Where the portal opens: what asks for attention, the first steps of a new site, and where contents stand. */
export function HomePanel() {
  const { username } = usePortalSession();
  const query = useQuestion(
    { key: 'GET /tableau-de-bord' },
    'Erreur lors de la récupération du tableau de bord:',
  );
  return (
    <>
      <h1 className="mb-6">Bonjour {username}</h1>
      <LoadState query={query} failed="Le tableau de bord n’a pas pu être chargé.">
        {(dashboard) => (
          <div className="flex flex-col gap-10">
            <Attention
              alerts={dashboard.alertes}
              doubtfulDay={dashboard.horloge}
              onConfirmed={() => query.refetch()}
            />
            <GettingStarted dashboard={dashboard} />
            <States contents={dashboard.contenus} />
            <Stays counts={dashboard.sejours} />
            <Section title="Santé du site">
              <Health health={dashboard.sante} />
            </Section>
          </div>
        )}
      </LoadState>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-4 text-xl">{title}</h2>
      {children}
    </section>
  );
}

interface AttentionProps {
  alerts: Dashboard['alertes'];
  doubtfulDay: Dashboard['horloge'];
  onConfirmed(): void;
}

function Attention({ alerts, doubtfulDay, onConfirmed }: AttentionProps) {
  return (
    <Section title="À voir">
      {alerts.length === 0 && doubtfulDay === null && (
        <p className="flex items-center gap-3">
          <CircleCheck aria-hidden="true" className="size-6 shrink-0 text-moss" />
          Rien ne demande votre attention.
        </p>
      )}
      <ul className="flex flex-col gap-3">
        {doubtfulDay !== null && (
          <Warning>
            <DoubtfulClock day={doubtfulDay} onConfirmed={onConfirmed} />
          </Warning>
        )}
        {alerts.map(({ texte, panneau, adresse }) => {
          const to = adresse ?? (panneau && panelAddress(panneau));
          return (
            <Warning key={texte}>
              {texte}{' '}
              {to && (
                <Link to={to} className="whitespace-nowrap">
                  Y aller
                </Link>
              )}
            </Warning>
          );
        })}
      </ul>
    </Section>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-3 rounded-[14px] border-2 border-sun bg-card p-4">
      <TriangleAlert aria-hidden="true" className="size-6 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function States({ contents }: { contents: Dashboard['contenus'] }) {
  return (
    <Section title="Contenus">
      <dl className="divide-y divide-mist border-y border-mist">
        {contents.map(({ genre, en_ligne, a_venir, termines, corbeille }) => (
          <div key={genre} className="flex flex-wrap justify-between gap-x-6 py-2.5">
            <dt className="font-semibold">{kindOfGenre(genre)?.plural ?? genre}</dt>
            <dd className="text-quiet">
              {[
                `${en_ligne} en ligne`,
                a_venir > 0 && `${a_venir} à venir`,
                termines > 0 && `${termines} hors ligne, date passée`,
              ]
                .filter(Boolean)
                .join(' · ')}
              {corbeille > 0 && (
                <>
                  {' · '}
                  <Link to={panelAddress('corbeille')}>{corbeille} dans la corbeille</Link>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Stays({ counts: { en_cours, a_venir, passes } }: { counts: Dashboard['sejours'] }) {
  return (
    <Section title="Séjours">
      <p className="flex flex-wrap items-center justify-between gap-x-6 border-y border-mist">
        <Link className="inline-flex min-h-11 items-center" to={panelAddress('sejours')}>
          Tous les séjours
        </Link>
        <span className="text-quiet">
          {`${en_cours} en cours · ${a_venir} à venir · ${passes} passé${passes > 1 ? 's' : ''}`}
        </span>
      </p>
    </Section>
  );
}
