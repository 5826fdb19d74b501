import { z } from 'zod';
import { PASSWORD_TYPES, type PasswordType } from '#platform/shared/roles.ts';
import { emailAddress, line, required, whole } from '#platform/shared/text.ts';
import { isDay } from '#platform/shared/time.ts';
import { CATEGORIES, type Category, CONSENTS, type Consent, stayNumberIn } from './terms.ts';

/** Field schemas that several forms of stays share. */

/** A required day that exists, as `2026-06-20`; a time after it is dropped. */
export function day() {
  return required(line(30).transform((value) => value.replace(/T[\d:.]*Z?$/, ''))).refine(
    (value) => value === '' || isDay(value),
    { error: 'cette date n’existe pas (exemple\u202f: 2026-06-20).' },
  );
}

export const category = z.enum(Object.keys(CATEGORIES) as Category[], {
  error: 'centre ou sejour est attendu.',
});

export const consent = z.enum(Object.keys(CONSENTS) as Consent[], {
  error: 'oui, non ou inconnu est attendu.',
});

/** A required name without bidirectional control characters: in a list, they make one name look like another. */
function name(max: number) {
  return required(
    line(max).refine((value) => !/\p{Bidi_Control}/u.test(value), {
      error: 'ce nom contient des signes invisibles qui n’y vont pas.',
    }),
  );
}

export const stayName = name(150).meta({ title: 'Nom du séjour' });
export const lastName = name(100).meta({ title: 'Nom' });
export const firstName = name(100).meta({ title: 'Prénom' });
export const telephoneNumber = required(line(50)).meta({ title: 'Téléphone' });
/** Blank for a family without an address: its code comes on a slip. */
export const familyAddress = emailAddress(254).meta({ title: 'E-mail' });
export const mailAddress = required(emailAddress(254)).meta({ title: 'E-mail' });

/** The id of a stay in a body or a query. */
export const stageId = whole(1, 999_999_999_999_999).meta({ title: 'Séjour' });

const NOT_A_NUMBER = 'le numéro du séjour est attendu, par exemple 4.';
const number = whole(1, 999_999_999_999_999, NOT_A_NUMBER);

/** The same as families type it. */
export const stayNumber = z
  .union(
    [
      number,
      line(60)
        .transform((typed) => stayNumberIn(typed) ?? typed)
        .pipe(number),
    ],
    { error: NOT_A_NUMBER },
  )
  .meta({ title: 'Numéro du séjour' });

export const passwordType = z.enum(Object.keys(PASSWORD_TYPES) as PasswordType[], {
  error: 'formateur ou stagiaire est attendu.',
});
