import type { Schema } from '#platform/server/db/migration.ts';
import { wordsOf } from '#platform/shared/fold.ts';
import { plainText } from '#platform/shared/markdown.ts';

/** What visitors find: the columns of its title, and of its other texts. */
const TEXTS: Record<string, [title: string[], texts: string[]]> = {
  actualites: [['titre'], ['description']],
  alaune: [['titre'], ['resume', 'description']],
  events: [['title'], ['location', 'summary', 'article']],
  avantage: [['titre'], ['economie', 'resume', 'description']],
  employes: [['prenom', 'nom'], ['poste']],
};
/** Rows read at once: their texts are long. */
const ROWS = 100;

/** The words of contents and people, folded, for the search of the site: those of the title on the first line. */
export async function up(db: Schema): Promise<void> {
  for (const [table, [title, texts]] of Object.entries(TEXTS)) {
    await db.schema
      .alterTable(table)
      .addColumn('plie', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    let last = 0;
    for (;;) {
      const rows = await db
        .selectFrom(table)
        .select(['id', ...title, ...texts])
        .where('id', '>', last)
        .orderBy('id')
        .limit(ROWS)
        .execute();
      for (const row of rows) {
        const first = title.flatMap((name) => wordsOf(String(row[name])));
        const others = new Set(texts.flatMap((name) => wordsOf(plainText(String(row[name])))));
        for (const word of first) others.delete(word);
        const plie = `${first.join(' ')}\n${[...others].join(' ')}`;
        await db.updateTable(table).set({ plie }).where('id', '=', row.id).execute();
        last = row.id;
      }
      if (rows.length < ROWS) break;
    }
  }
}
