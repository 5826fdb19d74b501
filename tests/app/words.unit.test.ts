import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesBelow } from '#tools/files.mjs';

/* One word for one thing: the sentences of the product name nothing by the twin of its word. */

/**
 * The fixed texts of the original site that name things otherwise: its pages, questions and answers are kept letter for
 * letter.
 */
const FIXED = new Set([
  'Êtes-vous sûr de vouloir supprimer tous les stagiaires pour ce séjour ?',
  'Êtes-vous sûr de vouloir supprimer cet employé ?',
  'Veuillez sélectionner un stagiaire pour mettre à jour.',
  'Tous les champs sont nécessaires pour ajouter un stagiaire.',
  'Stagiaire mis à jour avec succès',
  'Nouveau stagiaire ajouté avec succès',
  'Stagiaires supprimés avec succès',
  'Formateur traité avec succès',
  'Formateur supprimé avec succès',
  'Mise à jour réussie du formateur',
  'Formateur non trouvé',
]);

interface Twin {
  not: RegExp;
  say: string;
  /** Files where it is another thing, or said to other people. */
  except?: RegExp;
  /** The only files where it matters. */
  within?: RegExp;
}

const TWINS: Twin[] = [
  {
    not: /\bstagiaires?\b/i,
    say: 'enfant',
    // Interns of the firm; what a heading of somebody’s list may say; the word of the wire, told to programs.
    except: /AboutPage\.tsx$|imports\/server\/columns\.ts$|stays\/shared\/fields\.ts$/,
  },
  {
    not: /\bformateurs?\b/i,
    say: 'directeur',
    except: /imports\/server\/columns\.ts$|stays\/shared\/fields\.ts$/,
  },
  {
    // « Codes », as many, are what is sent: the number of the stay, its password, a link.
    not: /\bcode\b(?! (civil|du travail|postal|QR|qr))(?<!QR code)/i,
    say: 'mot de passe',
    within:
      /^features\/(dashboard|evenings|gallery|imports|mails|sending|stayPages|stays)\/|^platform\/shared\//,
    // A code that a telephone aims at.
    except: /SlipsPanel\.tsx$|mails\/web\/panels\.tsx$/,
  },
  { not: /(^|[ ,])soulignés?(?!\p{L})/u, say: 'tiret bas' },
  { not: /\(facultati/i, say: 'nothing: what is required is marked' },
  { not: /\bfichier modèle\b|modèle \.?(csv|xlsx)\b/, say: 'modèle CSV, modèle Excel' },
  { not: /de nouveau connecté/, say: 'la connexion est rétablie' },
  { not: /Préparer l’été/, say: 'préparer les séjours' },
  {
    // What happens to it is said by the word of the button; `supprimer` is for what does not come back.
    not: /\bsupprim/i,
    say: 'mettre à la corbeille',
    within: /^features\/(shelf|checking)\/web\//,
    // Gone for good, whoever did it.
    except: /CheckingParts\.tsx$/,
  },
  {
    not: /\b[A-Z]+_[A-Z][A-Z_]*\b/,
    say: 'what to ask the person who hosts the site',
    within: /^(features|app\/web|platform\/web)\/|^staff$/,
    // The page of the site’s health is for that person; errors of a start; names of the browser’s own.
    except: /dashboard\/server\/(health|metrics)\.ts$|accounts\/server\/admins\.ts$|passkeys\.ts$/,
  },
  { not: /[\p{L}\d»)’\]] [;:!?](?![\p{L}])/u, say: 'a narrow space that does not break' },
  { not: /« | »/, say: 'spaces that do not break within quotation marks' },
];

interface Sentence {
  text: string;
  line: number;
  /** What a check tells staff. */
  isForStaff: boolean;
}

/** Texts that people may read: not names, addresses of calls, statements of SQL, or words for the search of panels. */
function sentencesOf(file: string): Sentence[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const found: Sentence[] = [];
  const visit = (node: ts.Node, isForStaff: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return;
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'words') return;
    const isText =
      ts.isStringLiteralLike(node) ||
      ts.isJsxText(node) ||
      node.kind === ts.SyntaxKind.TemplateHead ||
      node.kind === ts.SyntaxKind.TemplateMiddle ||
      node.kind === ts.SyntaxKind.TemplateTail;
    if (isText) {
      const text = (node as ts.LiteralLikeNode).text.replace(/[ \n]+/g, ' ');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (
        /[\p{L}\d»)’] |^\p{Lu}/u.test(text) &&
        !/ as \w+$/.test(text) &&
        !/^(GET|POST|PUT|DELETE) \//.test(text)
      )
        found.push({ text, line, isForStaff });
    }
    const isStaff = ts.isMethodDeclaration(node) && node.name.getText() === 'staff';
    ts.forEachChild(node, (child) => visit(child, isForStaff || isStaff));
  };
  visit(source, false);
  return found;
}

/** As the fixed texts are written: typography may differ. */
const plain = (text: string) => text.replace(/\s/g, ' ').trim();

const FILES = ['app', 'features', 'platform']
  .flatMap(filesBelow)
  .filter((file) => /\.tsx?$/.test(file) && !/migrations\/|apiDocs\.ts$/.test(file));

test('a thing has one name in all that the product says', () => {
  const wrong = FILES.flatMap((file) =>
    sentencesOf(file).flatMap(({ text, line, isForStaff }) =>
      TWINS.filter(({ not, within, except }) => {
        if (FIXED.has(plain(text)) || !not.test(text)) return false;
        return (
          (within === undefined || within.test(file) || (isForStaff && within.test('staff'))) &&
          !except?.test(file)
        );
      }).map(({ say }) => `${file}:${line}: say ${say}: ${text.trim().slice(0, 100)}`),
    ),
  );
  expect(wrong).toEqual([]);
});

test('those texts are there, and the test would see their twins', () => {
  const all = new Set(FILES.flatMap((file) => sentencesOf(file).map(({ text }) => plain(text))));
  expect([...FIXED].filter((text) => !all.has(text))).toEqual([]);
  const twins = [
    'un stagiaire',
    'le formateur',
    'son code',
    'point, souligné',
    'Nom (facultatif)',
    'un fichier modèle',
  ];
  for (const twin of twins)
    expect(
      TWINS.some(({ not }) => not.test(twin)),
      twin,
    ).toBe(true);
  expect(TWINS.some(({ not }) => not.test('Vos codes : un «\u00a0mot\u00a0»'.replace(' :', '\u202f:')))).toBe(
    false,
  );
});
