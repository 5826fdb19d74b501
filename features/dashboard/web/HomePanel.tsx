import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HealthPart } from '#features/dashboard/calls.ts';
import { IDENTITY_FIELDS, LEGAL_NOTICE } from '#features/site/shared/identity.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { longDay } from '#platform/shared/dates.ts';
import { ALL_RIGHTS } from '#platform/shared/roles.ts';
import { call } from '#platform/web/api.ts';
import { panelAddress, useMay, usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { Instant } from '#platform/web/ui/Time.tsx';
import { useAction } from '#platform/web/ui/useForm.ts';
import { Board } from './Board.tsx';
import { ExampleContent, useExample } from './ExampleContent.tsx';
import { firstSteps, StepList, step } from './FirstSteps.tsx';

type Dashboard = ReplyOf<'GET /tableau-de-bord'>;

export function HomePanel() {
  const { username } = usePortalSession();
  const may = useMay();
  const query = useQuestion({ key: 'GET /tableau-de-bord' });
  return (
    <>
      <h1 className="mb-6">Bonjour {username}</h1>
      <LoadState query={query} failed="Le tableau de bord n’a pas pu être chargé.">
        {(dashboard) => (
          <div className="flex flex-col gap-10">
            {ALL_RIGHTS.every((right) => may([right])) && <GettingStarted dashboard={dashboard} />}
            {may(['sejours', 'photos']) && <Board />}
            <Attention dashboard={dashboard} onConfirmed={() => query.refetch()} />
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
  dashboard: Dashboard;
  onConfirmed(): void;
}

export function Attention({ dashboard, onConfirmed }: AttentionProps) {
  const { alertes: alerts, horloge: doubtfulDay, sante, identite_manquante: blank } = dashboard;
  const may = useMay();
  const watched = sante.parties.filter(({ etat }) => etat !== 'bon').map(({ nom }) => nom);
  const lacking = may(['reglages'])
    ? LEGAL_NOTICE.filter((name) => blank.includes(name)).map((name) => IDENTITY_FIELDS[name].label)
    : [];
  const isNothing = alerts.length + watched.length + lacking.length === 0 && doubtfulDay === null;
  return (
    <Section title="À voir">
      {isNothing && (
        <p className="flex items-center gap-3">
          <CircleCheck className="size-6 shrink-0 text-moss" />
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
        <Watched to="sante" what="À surveiller" names={watched} />
        <Watched to="reglages" what="Mentions légales incomplètes" names={lacking} />
      </ul>
    </Section>
  );
}

/** What can wait, but is not well. */
function Watched({ to, what, names }: { to: string; what: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <li>
      <Link to={panelAddress(to)}>{what}</Link>
      {`\u202f: ${names.join(', ')}`}
    </li>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-3 rounded-card border-2 border-sun bg-card p-4">
      <TriangleAlert className="size-6 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}

/** Asks whether the clock of the site is right, before photos are erased because of it. */
export function DoubtfulClock({ day, onConfirmed }: { day: string; onConfirmed(): void }) {
  const { say } = useNotices();
  const { isBusy, run } = useAction();
  const confirm = () =>
    run(async () => {
      say((await call('POST /horloge', { body: { jour: day } })).message);
      onConfirmed();
    }, 'Erreur lors de la confirmation de la date');
  return (
    <>
      Le site croit être le {longDay(day)}, après un long arrêt ou un saut de son horloge. Tant que personne
      n’a confirmé cette date, rien n’est effacé pour son âge, ni photos, ni familles, ni messages. Si elle
      est fausse, prévenez la personne qui héberge le site.
      <span className="mt-3 block">
        <Button quiet aria-disabled={isBusy} onClick={confirm}>
          La date est juste
        </Button>
      </span>
    </>
  );
}

/** The first steps of a new site, and the example content that shows their result; hidden once both are done. */
export function GettingStarted({ dashboard }: { dashboard: ReplyOf<'GET /tableau-de-bord'> }) {
  const { demarrage } = dashboard;
  const first = firstSteps(dashboard);
  const steps = [
    step(!demarrage.mot_de_passe_affiche, 'Changer le mot de passe que l’installation a affiché', 'compte'),
    step(demarrage.second_facteur, 'Protéger votre compte par une clé d’accès ou en deux étapes', 'compte'),
    step(demarrage.administrateurs, 'Donner à chaque personne un compte à elle', 'administrateurs'),
    first.name,
    step(demarrage.mail_parti, 'Essayer l’envoi d’un e-mail', 'ecrire'),
    first.news,
    step(demarrage.evenement, 'Annoncer un premier événement', 'evenement-creer'),
    step(demarrage.employes, 'Ajouter les personnes de l’organigramme', 'employe-creer'),
    step(
      demarrage.comptes_rendus,
      'Voir ou choisir le mot de passe des comptes rendus',
      'reglages#comptes_rendus_mot_de_passe',
    ),
    step(
      demarrage.visiteurs_choisis,
      'Choisir ce que les visiteurs voient des séjours',
      'reglages#sejours_visiteurs',
    ),
    first.stays,
    step(demarrage.directeurs, 'Nommer les directeurs', 'directeurs'),
    step(demarrage.codes_envoyes, 'Envoyer les codes', 'codes-envoyer'),
  ];
  const example = useExample();
  const isOver = example.data?.etat === 'absent' || (!example.data && !example.isError);
  if (isOver && steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className="card p-5 sm:p-6">
      <h2 className="mb-4 text-xl">Bien démarrer</h2>
      <StepList steps={steps} />
      <div className="mt-4 border-t border-mist pt-4">
        <ExampleContent query={example} />
      </div>
    </section>
  );
}

export function HealthPanel() {
  const query = useQuestion({ key: 'GET /tableau-de-bord' });
  return (
    <div className="max-w-3xl">
      <h1 className="mb-6">Santé du site</h1>
      <LoadState query={query} failed="L’état du site n’a pas pu être chargé.">
        {(dashboard) => (
          <div className="flex flex-col gap-10">
            <Attention dashboard={dashboard} onConfirmed={() => query.refetch()} />
            <Health health={dashboard.sante} />
          </div>
        )}
      </LoadState>
    </div>
  );
}

/** Words and colours of the states; no state is told by its colour alone. */
const STATES: Record<HealthPart['etat'], { words: string; className: string }> = {
  bon: { words: 'Tout va bien', className: 'border border-moss' },
  surveiller: { words: 'À surveiller', className: 'bg-sun text-on-sun' },
  traiter: { words: 'À traiter', className: 'border border-coral text-coral' },
};

interface HealthProps {
  health: ReplyOf<'GET /tableau-de-bord'>['sante'];
}

export function Health({ health: { parties, version, depuis } }: HealthProps) {
  return (
    <div className="card px-5 py-2 sm:px-6">
      <dl className="divide-y divide-mist">
        {parties.map(({ nom, etat, fait, conseil }) => (
          <div key={nom} className="py-3">
            <dt className="flex flex-wrap items-center justify-between gap-x-4">
              <span className="font-semibold">{nom}</span>
              <span className={`rounded-full px-3 text-sm font-semibold ${STATES[etat].className}`}>
                {STATES[etat].words}
              </span>
            </dt>
            <dd className="text-quiet">{fait}</dd>
            {conseil && <dd>{conseil}</dd>}
          </div>
        ))}
      </dl>
      <p className="border-t border-mist py-3 text-sm text-quiet">
        Version {version}, en service depuis le <Instant value={depuis} />
      </p>
    </div>
  );
}
