import {
  ChevronDown,
  HeartPulse,
  type LucideIcon,
  MessagesSquare,
  TentTree,
  TrendingUp,
  Users,
  WalletCards,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { LoadState } from '#platform/web/ui/LoadState.tsx';
import type { Headcount } from '../../shared/identity.ts';
import { useIdentity } from './LegalPage.tsx';

/** What the works council does for employees, what the law entrusts to it, by what means, and who its members are. */
export function AboutPage() {
  // The law depends on the size of the company: nothing is said before it is known.
  const query = useIdentity();
  return (
    <div className="page">
      <div className="items-end gap-10 md:grid md:grid-cols-[minmax(0,1fr)_18rem]">
        <div>
          <h1>Nos Missions</h1>
          <p className="mt-4 max-w-[60ch] text-xl">
            Le comité social et économique (CSE) représente les salariés. Il porte leur parole, veille à leur
            santé et à leur sécurité, et leur propose des activités.
          </p>
        </div>
        <Drawing name="campfire" className="mx-auto mt-6 h-auto w-60 md:mt-0 md:w-full" />
      </div>
      <div className="mt-10">
        <LoadState query={query} failed="Nos missions n’ont pas pu être chargées.">
          {({ effectif }) => (
            <>
              <Services size={effectif} />
              <Missions size={effectif} />
              <Means size={effectif} />
              <Members size={effectif} />
            </>
          )}
        </LoadState>
      </div>
      <Reach />
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-14 first:mt-0">
      <h2 className="mb-5">{title}</h2>
      {children}
    </section>
  );
}

interface Sized {
  size: Headcount;
}

/** True for what holds in companies of this size; without `only`, it holds in all. */
function holdsIn(size: Headcount): (thing: { only?: Headcount }) => boolean {
  return ({ only }) => only === undefined || only === size;
}

function Services({ size }: Sized) {
  return (
    <Section title="Ce que le CSE fait pour vous">
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {SERVICES.filter(holdsIn(size)).map(({ title, Icon, text, ways }) => (
          <li key={title} className="card gap-3 p-5">
            <h3 className="flex items-center gap-3">
              <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-mist">
                <Icon className="size-6" />
              </span>
              <span className="min-w-0">{title}</span>
            </h3>
            <p>{text}</p>
            <p className="mt-auto flex flex-wrap gap-x-5 print:hidden">
              {ways.map(({ to, label }) => (
                <Link key={to} to={to} className="inline-flex min-h-11 items-center font-semibold">
                  {label}
                </Link>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Missions({ size }: Sized) {
  const isSmall = size === '11_a_49';
  const missions = MISSIONS.filter(holdsIn(size));
  return (
    <Section title="Ce que la loi nous confie">
      <p className="max-w-[60ch] text-lg">
        {isSmall
          ? 'Notre entreprise compte de 11 à 49 salariés. À cette taille, la loi confie deux grandes missions au CSE.'
          : 'Notre entreprise compte au moins 50 salariés. À cette taille, la loi confie quatre grandes missions au CSE.'}{' '}
        Un accord ou un usage de l’entreprise peut lui en confier d’autres.
      </p>
      <ul aria-label="Nos missions" className="mt-6 grid gap-6 md:grid-cols-2">
        {missions.map((mission) => (
          <li key={mission.title} className="card gap-4 p-6 wrap-anywhere sm:p-8">
            <h3 className="text-2xl">{mission.title}</h3>
            <p className="text-lg font-semibold">{mission.lead}</p>
            <List items={[...mission.always, ...(isSmall ? [] : mission.fromFifty)]} />
          </li>
        ))}
      </ul>
      {isSmall && <Beyond />}
      <Articles
        of={[
          { title: 'Le CSE et la taille de l’entreprise', articles: 'L2311-2 et L2312-1 à L2312-4' },
          ...missions.map(({ title, articles }) => ({ title, articles: articles[size] })),
          ...(isSmall ? [{ title: BEYOND, articles: 'L2312-17, L2312-78, L2315-23 et L2315-61' }] : []),
        ]}
      />
    </Section>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul className="list-disc space-y-1.5 pl-5">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

const BEYOND = 'Ce que la loi réserve aux CSE d’au moins 50 salariés';

/** What employees of a small company may have heard of, and do not have by law. */
function Beyond() {
  return (
    <div className="well mt-6 flex flex-col gap-3">
      <h3>{BEYOND}</h3>
      <List
        items={[
          'La consultation régulière sur la stratégie, les comptes et la politique sociale de l’entreprise.',
          'Un budget versé par l’employeur.',
          'La gestion des activités sociales et culturelles. Un accord ou un usage peut toutefois nous la confier.',
          'La personnalité civile, qui permet de signer un contrat ou d’agir en justice.',
        ]}
      />
    </div>
  );
}

function Means({ size }: Sized) {
  const means = MEANS.filter(holdsIn(size));
  return (
    <Section title="Nos moyens">
      <dl className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {means.map(({ title, text }) => (
          <div key={title} className="break-inside-avoid border-l-4 border-sun pl-4">
            <dt className="font-title text-lg font-semibold">{title}</dt>
            <dd className="mt-1">{text}</dd>
          </div>
        ))}
      </dl>
      <Articles of={means} />
    </Section>
  );
}

function Members({ size }: Sized) {
  const isSmall = size === '11_a_49';
  return (
    <Section title="Qui siège au CSE">
      <div className="prose text-lg">
        <p>
          Le CSE réunit l’employeur, ou son représentant, et des élus des salariés. Il compte autant de
          titulaires que de suppléants ; un suppléant remplace un titulaire absent. Leur mandat dure quatre
          ans, ou de deux à quatre ans si un accord le prévoit.
        </p>
        <p>
          Le comité choisit parmi ses membres un référent contre le harcèlement sexuel et les agissements
          sexistes.
        </p>
        {!isSmall && (
          <p>
            L’employeur préside le comité. Celui-ci choisit parmi ses titulaires un secrétaire et un
            trésorier. Un syndicat représentatif peut y avoir un représentant. Le médecin du travail vient,
            sans voter, quand il est question de santé et de sécurité.
          </p>
        )}
      </div>
      <Articles
        of={[
          { title: 'Les membres', articles: isSmall ? 'L2314-1' : 'L2314-1 à L2314-3 et L2315-23' },
          { title: 'La durée du mandat', articles: 'L2314-33 et L2314-34' },
        ]}
      />
    </Section>
  );
}

/** The articles of law behind a section: folded, as few read them. On paper they stand open. */
function Articles({ of }: { of: readonly { title: string; articles: string }[] }) {
  return (
    <details className="open-on-paper group mt-5">
      <summary className="inline-flex min-h-11 items-center gap-1 font-semibold text-lake">
        Les articles du Code du travail
        <ChevronDown className="size-5 transition-transform group-open:rotate-180 print:hidden" />
      </summary>
      <ul className="mt-1 text-sm text-quiet">
        {of.map(({ title, articles }) => (
          <li key={title} className="py-0.5">
            {title} : {articles}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Reach() {
  return (
    <Section title="Comment nous joindre">
      <p className="max-w-[60ch] text-lg">
        Une question, une difficulté, une idée ? Parlez-en à l’un de nous, ou écrivez-nous. Les comptes rendus
        disent ce que le comité a décidé.
      </p>
      <p className="mt-5 flex flex-wrap gap-3 print:hidden">
        <Link className="button" to="/contact">
          Écrire au CSE
        </Link>
        <Link className="button quiet" to="/membres">
          Voir les membres
        </Link>
        <Link className="button quiet" to="/compte-rendus">
          Lire les comptes rendus
        </Link>
      </p>
    </Section>
  );
}

const BENEFITS = { to: '/avantages', label: 'Voir les avantages' };
const EVENTS = { to: '/Evenements', label: 'Voir les événements' };
const CONTACT = { to: '/contact', label: 'Nous écrire' };
const MEMBERS = { to: '/membres', label: 'À qui en parler' };
const MINUTES = { to: '/compte-rendus', label: 'Voir nos comptes rendus' };

/** Something that the council does, in words of an employee, and where it is found on this site. */
interface Service {
  title: string;
  Icon: LucideIcon;
  text: string;
  ways: readonly { to: string; label: string }[];
  only?: Headcount;
}

const SERVICES: readonly Service[] = [
  {
    title: 'Vos loisirs et vos vacances',
    Icon: TentTree,
    text: 'Nous vous proposons des réductions et des sorties, pour vous et votre famille.',
    ways: [BENEFITS, EVENTS],
  },
  {
    title: 'Vos réclamations',
    Icon: MessagesSquare,
    text: 'Un problème de salaire, d’horaires ou de contrat ? Nous en parlons pour vous à l’employeur.',
    ways: [CONTACT],
  },
  {
    title: 'Votre santé, votre sécurité',
    Icon: HeartPulse,
    text: 'Un danger, un accident, du harcèlement ? Nous alertons l’employeur et cherchons les causes.',
    ways: [MEMBERS],
  },
  {
    title: 'Les décisions de l’entreprise',
    Icon: TrendingUp,
    text: 'L’employeur nous consulte avant les décisions importantes, et nous lui donnons notre avis.',
    ways: [MINUTES],
    only: '50_et_plus',
  },
  {
    title: 'Vos questions à l’employeur',
    Icon: TrendingUp,
    text: 'Chaque mois, nous rencontrons l’employeur et lui posons les questions des salariés.',
    ways: [MINUTES],
    only: '11_a_49',
  },
  {
    title: 'Votre formation',
    Icon: Users,
    text: 'Nous donnons notre avis sur la formation des salariés, et proposons de l’améliorer.',
    ways: [CONTACT],
    only: '50_et_plus',
  },
  {
    title: 'Des élus formés',
    Icon: Users,
    text: 'Vos élus ont droit à une formation à la santé et à la sécurité, pour mieux vous aider.',
    ways: [{ ...MEMBERS, label: 'Voir les élus' }],
    only: '11_a_49',
  },
  {
    title: 'Le budget du CSE',
    Icon: WalletCards,
    text: 'Une part fait fonctionner le comité, l’autre paie vos activités.',
    ways: [MINUTES],
    only: '50_et_plus',
  },
];

/** A legal task of a works council, with the articles of the Code du travail that give it. */
interface Mission {
  title: string;
  lead: string;
  /** Tasks in any company that has a council. */
  always: readonly string[];
  /** Further tasks in companies with fifty employees or more. */
  fromFifty: readonly string[];
  articles: Record<Headcount, string>;
  only?: Headcount;
}

const MISSIONS: readonly Mission[] = [
  {
    title: 'Vos droits',
    lead: 'Porter la parole de chacun, défendre les droits de tous.',
    always: [
      'Nous présentons à l’employeur vos réclamations, personnelles ou collectives : salaires, Code du travail, protection sociale, conventions et accords.',
      'Vous gardez le droit de lui parler vous-même.',
      'Nous l’alertons si quelqu’un est atteint dans ses droits, sa santé ou ses libertés.',
      'Nous pouvons nous adresser à l’inspection du travail.',
    ],
    fromFifty: [
      'L’employeur nous consulte régulièrement sur la politique sociale, les conditions de travail et l’emploi.',
      'Il nous consulte avant d’installer un moyen de contrôler l’activité des salariés.',
      'Nous proposons ce qui peut améliorer le travail, l’emploi, la formation ou les garanties collectives, comme la mutuelle.',
    ],
    articles: {
      '11_a_49': 'L2312-5, L2312-7 et L2312-59',
      '50_et_plus': 'L2312-5, L2312-7, L2312-8, L2312-12, L2312-17, L2312-38 et L2312-59',
    },
  },
  {
    title: 'Santé et sécurité',
    lead: 'Veiller à la santé, à la sécurité et aux conditions de travail.',
    always: [
      'Nous agissons pour la santé, la sécurité et de meilleures conditions de travail.',
      'Nous enquêtons après un accident du travail ou une maladie professionnelle.',
      'Nous alertons l’employeur en cas de danger grave et imminent, ou de risque grave pour la santé publique ou l’environnement.',
    ],
    fromFifty: [
      'Nous étudions les risques professionnels, harcèlement compris, et proposons des moyens de les prévenir.',
      'Nous inspectons régulièrement les lieux de travail.',
      'Quand l’inspection du travail vient, nous en sommes informés et pouvons lui parler.',
    ],
    articles: {
      '11_a_49': 'L2312-5 et L2312-60',
      '50_et_plus': 'L2312-5, L2312-9, L2312-10, L2312-13 et L2312-60',
    },
  },
  {
    title: 'L’avenir de l’entreprise',
    lead: 'Faire entendre les salariés avant les grandes décisions.',
    always: [],
    fromFifty: [
      'L’employeur nous consulte régulièrement sur la stratégie de l’entreprise et sur sa situation économique et financière.',
      'Il nous consulte sur les changements importants : effectifs, organisation, durée du travail, formation, nouvelles technologies, avec leurs effets sur l’environnement.',
      'Il nous consulte aussi en cas de restructuration ou de licenciement économique collectif.',
      'Si la situation économique nous inquiète, nous pouvons lui demander des explications : c’est le droit d’alerte économique.',
    ],
    articles: { '11_a_49': '', '50_et_plus': 'L2312-8, L2312-17, L2312-37 et L2312-63' },
    only: '50_et_plus',
  },
  {
    title: 'Activités sociales et culturelles',
    lead: 'Rendre les vacances, la culture, le sport et les loisirs plus accessibles.',
    always: [],
    fromFifty: [
      'Nous gérons les activités sociales et culturelles de l’entreprise, ou en contrôlons la gestion.',
      'Elles profitent d’abord aux salariés, à leur famille et aux stagiaires.',
      'L’employeur y contribue. Un accord d’entreprise fixe en principe le montant.',
    ],
    articles: { '11_a_49': '', '50_et_plus': 'L2312-78 et L2312-81' },
    only: '50_et_plus',
  },
];

const MEANS: readonly { title: string; text: string; articles: string; only?: Headcount }[] = [
  {
    title: 'Du temps',
    text: 'Chaque titulaire dispose d’au moins 10 heures par mois, payées comme du temps de travail.',
    articles: 'L2315-7 et L2315-10',
    only: '11_a_49',
  },
  {
    title: 'Du temps',
    text: 'Chaque titulaire dispose d’au moins 16 heures par mois, payées comme du temps de travail.',
    articles: 'L2315-7 et L2315-10',
    only: '50_et_plus',
  },
  {
    title: 'Des réunions',
    text: 'L’employeur nous reçoit au moins une fois par mois. Nos demandes et ses réponses sont écrites dans un registre, que chaque salarié peut consulter.',
    articles: 'L2315-21 et L2315-22',
    only: '11_a_49',
  },
  {
    title: 'Des réunions',
    text: 'Sauf accord, le comité se réunit au moins tous les deux mois, et chaque mois à partir de 300 salariés.',
    articles: 'L2315-28',
    only: '50_et_plus',
  },
  {
    title: 'De la formation',
    text: 'Les élus sont formés à la santé et à la sécurité, cinq jours au moins lors de leur premier mandat.',
    articles: 'L2315-18',
    only: '11_a_49',
  },
  {
    title: 'De la formation',
    text: 'Les élus sont formés à la santé et à la sécurité, cinq jours au moins lors de leur premier mandat. Les titulaires élus pour la première fois ont aussi droit à une formation économique.',
    articles: 'L2315-18 et L2315-63',
    only: '50_et_plus',
  },
  {
    title: 'Deux budgets',
    text: 'Pour le fonctionnement, l’employeur verse chaque année 0,20 % de la masse salariale brute, et 0,22 % à partir de 2 000 salariés. Le budget des activités sociales et culturelles s’y ajoute.',
    articles: 'L2315-61 et L2312-81',
    only: '50_et_plus',
  },
  {
    title: 'De l’information',
    text: 'Nous avons accès à une base de données économiques, sociales et environnementales. Un expert peut nous aider dans les cas que la loi prévoit.',
    articles: 'L2312-18 et L2315-78',
    only: '50_et_plus',
  },
  {
    title: 'La personnalité civile',
    text: 'Le comité peut signer un contrat ou agir en justice, et il gère ses biens.',
    articles: 'L2315-23',
    only: '50_et_plus',
  },
];
