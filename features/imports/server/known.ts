import { type Stay, stayKey } from '#features/stays/server/staysStore.ts';
import type { Access } from '#platform/server/db/open.ts';
import { nameKey } from '#platform/shared/fold.ts';

export type KnownStay = Pick<
  Stay,
  'id' | 'nom_stage' | 'date_debut' | 'date_fin' | 'mdp_formateur' | 'mdp_stagiaire' | 'efface_le'
>;

/** The stays that the site has when a file is read. */
export interface KnownStays {
  all: readonly KnownStay[];
  byId(id: number): KnownStay | undefined;
  byKey(stay: Pick<Stay, 'nom_stage' | 'date_debut' | 'date_fin'>): KnownStay | undefined;
  /** Those of the same name, whatever their dates. */
  byName(name: string): readonly KnownStay[];
}

export async function listKnownStays(db: Access): Promise<KnownStays> {
  const stays = await db
    .selectFrom('stages')
    .select([
      'id',
      'cle',
      'nom_stage',
      'date_debut',
      'date_fin',
      'mdp_formateur',
      'mdp_stagiaire',
      'efface_le',
    ])
    .execute();
  const ids = new Map(stays.map((stay) => [stay.id, stay]));
  const keys = new Map(stays.map((stay) => [stay.cle, stay]));
  const names = Map.groupBy(stays, (stay) => nameKey(stay.nom_stage));
  return {
    all: stays,
    byId: (id) => ids.get(id),
    byKey: (stay) => keys.get(stayKey(stay)),
    byName: (name) => names.get(nameKey(name)) ?? [],
  };
}
