import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Drawing } from '#platform/web/ui/Drawing.tsx';
import { MEANS, MISSIONS, type Mission } from './missions.ts';

/** What a works council does, with what, and who sits in it. */
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
        <a className="button" href="/mentions-legales#contact">
          Écrire au CSE
        </a>
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
