import { type RawBuilder, sql } from 'kysely';
import { insertStay } from '#features/stays/server/staysStore.ts';
import type { Services } from '#platform/server/services.ts';
import { DAY_MS } from '#platform/shared/time.ts';

/** What a year of a works council leaves in the database, times a factor: rows without files, in few statements. */
const YEAR = { stays: 100, news: 10, directors: 10, lines: 1_000 };
/** In each stay; in one of them the photos and the children grow instead, as nobody sees more than one stay. */
const IN_A_STAY = 100;
const IN_THE_LARGE = 50;

/** Numbers from `from` to `to`, as rows of a column `i`. */
const numbers = (from: number, to: number) => sql`with recursive n(i) as (
  select ${sql.lit(from)} union all select i + 1 from n where i < ${sql.lit(to)})`;

/** How many there are by now; the first factor begins from nothing. */
interface Filled {
  factor: number;
  large: number;
}

/** Adds what is missing up to `factor`; `filled` is what the call before answered. */
export async function grow(
  { database, secrets }: Services,
  factor: number,
  filled?: Filled,
): Promise<Filled> {
  const at = new Date().toISOString();
  const had = filled?.factor ?? 0;
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  return database.write(async (db) => {
    const run = (query: RawBuilder<unknown>) => query.execute(db);
    const stays: number[] = [];
    for (let index = had * YEAR.stays; index < factor * YEAR.stays; index++) {
      const stay = { nom_stage: `Séjour ${index}`, date_debut: day(-7), date_fin: day(7) };
      stays.push(await insertStay(db, secrets, stay, new Date()));
    }
    const large = filled?.large ?? (stays[0] as number);
    const usual = sql`stages.id between ${stays[0]} and ${stays.at(-1)} and stages.id <> ${large}`;
    const ofLarge = numbers(had * IN_THE_LARGE + 1, factor * IN_THE_LARGE);
    for (const [rows, chosen] of [
      [numbers(1, IN_A_STAY), usual],
      [ofLarge, sql`stages.id = ${large}`],
    ] as const) {
      await run(sql`${rows}
        insert into photos (stage_id, empreinte, statut, version, nom, a_jpeg, jour, prise_le, rang, largeur, hauteur, apercu,
          octets, publiee_le, numero, created_at, modifie_le)
        select stages.id, 'e' || i, case i % 50 when 0 then 'a_verifier' else 'publiee' end, 'complete',
          'p' || stages.id || '_' || i, 1, ${day(-1)}, ${at}, ${at}, 1920, 1440, 'k7QFDoJ4iIh4eIeAeId3iHd4hw==',
          2500000, case i % 50 when 0 then null else ${at} end, 1, ${at}, ${at}
        from stages cross join n where ${chosen}`);
      await run(sql`${rows}
        insert into stagiaires (stage_id, nom, prenom, cle, email, consentement_image, created_at, modifie_le)
        select stages.id, 'Nom' || i, 'Prénom' || i, 'nom' || i || '|prenom' || i,
          'famille' || i || '@s' || stages.id || '.example.org', 'oui', ${at}, ${at}
        from stages cross join n where ${chosen}`);
      await run(sql`${rows}
        insert into fichiers (nom, dossier, objet, objet_id, type, taille, sha256, created_at)
        select photos.nom || '-320.webp', 'photos', 'photos', photos.id, 'image/webp', 20480, photos.empreinte, ${at}
        from photos join stages on stages.id = photos.stage_id join n on photos.empreinte = 'e' || i where ${chosen}`);
    }
    await run(sql`insert into photos_flux (stage_id, numero, vu)
      select id, 1, 1 from stages where id between ${stays[0]} and ${stays.at(-1)}`);
    await run(sql`insert into envois (genre, type, cle, contenu, acteur, created_at)
      select 'codes', 'stagiaire', 'cle' || id, '', 'bench', ${at} from stages
      where id between ${stays[0]} and ${stays.at(-1)}`);
    await run(sql`insert into envois_messages (envoi_id, stage_id, destinataire, cle_destinataire, etat,
        attend_depuis, mdp_empreinte, created_at, termine_le)
      select envois.id, stagiaires.stage_id, stagiaires.email, stagiaires.email, 'envoye', ${at}, '',
        ${at}, ${at}
      from stagiaires join envois on envois.cle = 'cle' || stagiaires.stage_id
      join stages on stages.id = stagiaires.stage_id where ${usual}`);
    await run(sql`${numbers(had * YEAR.news + 1, factor * YEAR.news)}
      insert into actualites (titre, description, created_at, modifie_le)
      select 'Actualité ' || i, 'Une veillée, une randonnée, une permanence.', ${at}, ${at} from n`);
    await run(sql`${numbers(had * YEAR.directors + 1, factor * YEAR.directors)}
      insert into formateurs (nom, prenom, mail, cle_mail, telephone, created_at, modifie_le)
      select 'Nom' || i, 'Prénom' || i, 'd' || i || '@example.org', 'd' || i || '@example.org', '', ${at}, ${at} from n`);
    await run(sql`insert into affectations (formateur_id, stage_id, cat)
      select formateurs.id, stages.id, 'sejour' from stages
      join formateurs on formateurs.mail = 'd' || (stages.id % ${sql.lit(factor * YEAR.directors)} + 1) || '@example.org'
      where stages.id between ${stays[0]} and ${stays.at(-1)}`);
    await run(sql`${numbers(had * YEAR.lines + 1, factor * YEAR.lines)}
      insert into journal (instant, acteur, action) select ${at}, 'bench', 'modification' from n`);
    return { factor, large };
  });
}
