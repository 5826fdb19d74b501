import { HeartPulse, type LucideIcon, MessagesSquare, TentTree, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Drawing } from '#platform/web/ui/Drawing.tsx';

/** What a works council does, by what means, and who its members are. */
export function AboutPage() {
  return (
    <div className="page">
      <div className="items-end gap-10 md:grid md:grid-cols-[minmax(0,1fr)_18rem]">
        <div>
          <h1>Nos Missions</h1>
          <p className="mt-4 max-w-[60ch] text-xl">
            Le comité social et économique (CSE) représente les salariés. Il porte leur parole, veille à leurs
            conditions de travail et leur propose des activités.
          </p>
          <p className="mt-4 max-w-[60ch] text-quiet">
            Il existe dès 11 salariés. À partir de 50, la loi lui confie davantage ; un accord ou un usage
            peut être plus favorable encore (Code du travail, articles L2311-2 et L2312-4).
          </p>
        </div>
        <Drawing name="campfire" className="mx-auto mt-6 h-auto w-60 md:mt-0 md:w-full" />
      </div>
      <ul aria-label="Nos missions" className="mt-10 grid gap-6 md:grid-cols-2">
        {MISSIONS.map((mission) => (
          <li key={mission.title} className="flex">
            <MissionCard mission={mission} />
          </li>
        ))}
      </ul>
      <Means />
      <Members />
      <Reach />
    </div>
  );
}

function MissionCard({ mission }: { mission: Mission }) {
  const { title, Icon, lead, always, fromFifty, articles } = mission;
  return (
    <section className="card gap-4 p-6 sm:p-8">
      <h2 className="flex items-center gap-4">
        <span className="flex size-14 shrink-0 items-center justify-center rounded-full bg-mist">
          <Icon aria-hidden="true" className="size-7" />
        </span>
        <span className="min-w-0">{title}</span>
      </h2>
      <p className="text-lg font-semibold">{lead}</p>
      <Tasks title="Dès 11 salariés" tasks={always} />
      <Tasks title="À partir de 50 salariés" tasks={fromFifty} />
      <p className="mt-auto pt-2 text-sm text-quiet">{articles}</p>
    </section>
  );
}

function Tasks({ title, tasks }: { title: string; tasks: readonly string[] }) {
  if (tasks.length === 0) return null;
  return (
    <div>
      <h3 className="text-base text-pine">{title}</h3>
      <ul className="mt-1 list-disc space-y-1.5 pl-5">
        {tasks.map((task) => (
          <li key={task}>{task}</li>
        ))}
      </ul>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-14">
      <h2 className="mb-5">{title}</h2>
      {children}
    </section>
  );
}

function Means() {
  return (
    <Section title="Nos moyens">
      <dl className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {MEANS.map(({ title, text, articles }) => (
          <div key={title} className="border-l-4 border-sun pl-4">
            <dt className="font-title text-lg font-semibold">{title}</dt>
            <dd className="mt-1">{text}</dd>
            <dd className="mt-1 text-sm text-quiet">Code du travail, {articles}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Members() {
  return (
    <Section title="Qui siège au CSE">
      <div className="prose text-lg">
        <p>
          Le CSE réunit l’employeur, ou son représentant, et une délégation élue par les salariés. Elle compte
          autant de titulaires que de suppléants, selon la taille de l’entreprise ; un suppléant siège en
          l’absence d’un titulaire. Les élus le sont pour quatre ans, sauf si un accord fixe une durée de deux
          à quatre ans.
        </p>
        <p>
          À partir de 50 salariés, l’employeur préside le comité, qui choisit parmi ses titulaires un
          secrétaire et un trésorier. Le comité désigne aussi un référent contre le harcèlement sexuel et les
          agissements sexistes. Un syndicat représentatif peut y envoyer un représentant, et le médecin du
          travail y siège, sans voter, quand il est question de santé et de sécurité.
        </p>
        <p className="text-sm text-quiet">
          Code du travail, articles L2314-1 à L2314-3, L2314-33, L2314-34 et L2315-23
        </p>
      </div>
    </Section>
  );
}

function Reach() {
  return (
    <Section title="Comment nous joindre">
      <p className="max-w-[60ch] text-lg">
        Une question, une difficulté, une idée ? Parlez-en à l’un de nous, ou écrivez-nous. Ce que le comité a
        dit et décidé est dans ses comptes rendus.
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

/** A legal task of a works council, with the articles of the Code du travail that give it. */
export interface Mission {
  title: string;
  Icon: LucideIcon;
  lead: string;
  /** Tasks in any company that has a council. */
  always: readonly string[];
  /** Further tasks in companies with fifty employees or more. */
  fromFifty: readonly string[];
  articles: string;
}

export const MISSIONS: readonly Mission[] = [
  {
    title: 'Économique',
    Icon: TrendingUp,
    lead: 'Faire entendre les salariés dans les décisions qui engagent l’avenir de l’entreprise.',
    always: [],
    fromFifty: [
      'Nous sommes consultés sur les orientations stratégiques et sur la situation économique et financière.',
      'Nous sommes informés et consultés sur ce qui touche l’organisation, la gestion et la marche générale : effectifs, organisation juridique ou économique, durée du travail, formation, nouvelles technologies, avec leurs conséquences pour l’environnement.',
      'Nous le sommes aussi en cas de restructuration ou de licenciement collectif pour motif économique.',
      'Quand des faits préoccupants touchent la situation économique, nous pouvons demander des explications à l’employeur : c’est le droit d’alerte économique.',
    ],
    articles: 'Code du travail, articles L2312-8, L2312-17, L2312-37 et L2312-63',
  },
  {
    title: 'Sociale',
    Icon: MessagesSquare,
    lead: 'Porter la parole de chacun, défendre les droits de tous.',
    always: [
      'Nous présentons à l’employeur les réclamations, individuelles ou collectives, sur les salaires, le Code du travail, la protection sociale, les conventions et les accords.',
      'Nous pouvons saisir l’inspection du travail de plaintes et d’observations.',
      'Nous alertons l’employeur en cas d’atteinte aux droits des personnes, à leur santé ou aux libertés individuelles.',
    ],
    fromFifty: [
      'Nous sommes consultés sur la politique sociale, les conditions de travail et l’emploi.',
      'Nous le sommes avant tout moyen de contrôler l’activité des salariés.',
      'Nous proposons ce qui peut améliorer le travail, l’emploi, la formation et les garanties collectives.',
    ],
    articles: 'Code du travail, articles L2312-5, L2312-12, L2312-17, L2312-38 et L2312-59',
  },
  {
    title: 'Santé et sécurité',
    Icon: HeartPulse,
    lead: 'Veiller à la santé, à la sécurité et aux conditions de travail.',
    always: [
      'Nous contribuons à promouvoir la santé, la sécurité et de meilleures conditions de travail.',
      'Nous enquêtons après un accident du travail ou une maladie professionnelle.',
      'Nous alertons l’employeur en cas de danger grave et imminent, ou de risque grave pour la santé publique ou l’environnement.',
    ],
    fromFifty: [
      'Nous analysons les risques professionnels et proposons des actions de prévention, contre le harcèlement et les agissements sexistes aussi.',
      'Nous menons des inspections à intervalles réguliers.',
      'Nous sommes informés des visites de l’inspection du travail et pouvons y présenter nos observations.',
    ],
    articles: 'Code du travail, articles L2312-5, L2312-9, L2312-10, L2312-13 et L2312-60',
  },
  {
    title: 'Activités sociales et culturelles',
    Icon: TentTree,
    lead: 'Rendre les vacances, la culture, le sport et les loisirs plus accessibles.',
    always: [],
    fromFifty: [
      'Nous assurons ou contrôlons les activités sociales et culturelles de l’entreprise, ou participons à leur gestion.',
      'Elles sont d’abord pour les salariés, leur famille et les stagiaires.',
      'L’employeur les finance par une contribution que fixe un accord d’entreprise.',
    ],
    articles: 'Code du travail, articles L2312-78 et L2312-81',
  },
];

export const MEANS: readonly { title: string; text: string; articles: string }[] = [
  {
    title: 'Du temps',
    text: 'Chaque titulaire a des heures de délégation, payées comme du travail : 10 heures par mois au moins en dessous de 50 salariés, 16 heures au moins à partir de 50.',
    articles: 'articles L2315-7 et L2315-10',
  },
  {
    title: 'Un budget de fonctionnement',
    text: 'À partir de 50 salariés, l’employeur verse chaque année 0,20 % de la masse salariale brute ; 0,22 % à partir de 2 000 salariés.',
    articles: 'article L2315-61',
  },
  {
    title: 'De la formation',
    text: 'Les élus sont formés à la santé et à la sécurité, cinq jours au moins lors du premier mandat. À partir de 50 salariés, les titulaires élus pour la première fois ont aussi droit à une formation économique.',
    articles: 'articles L2315-18 et L2315-63',
  },
  {
    title: 'De l’information',
    text: 'À partir de 50 salariés, une base de données économiques, sociales et environnementales est à la disposition du comité, qui peut se faire aider par un expert dans les cas que la loi prévoit.',
    articles: 'articles L2312-18 et L2315-78',
  },
];
