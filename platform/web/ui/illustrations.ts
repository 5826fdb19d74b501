import { type Illustration, narrower } from '#platform/shared/pictures.ts';

/** What is needed to show the picture of that name; undefined when there is none. */
export function illustrationOf(
  name: string | null,
  illustrations: readonly Illustration[],
): Illustration | undefined {
  return illustrations.find(({ nom }) => nom === name);
}

/** Pixels across that a shared page's preview asks for. */
const PREVIEW = 1080;

/** The address of a picture for whoever shares its page: as large as a preview needs, no larger. */
export function previewOf(folder: string, illustration: Illustration | undefined): string | undefined {
  if (!illustration) return undefined;
  const { nom, largeur } = illustration;
  return folder + (largeur > PREVIEW ? narrower(nom, PREVIEW) : nom);
}
