import { TextField } from './Field.tsx';

interface NameFieldsProps {
  /** Whose names stand in them at first. */
  person: { nom: string; prenom: string } | undefined;
  errors: Record<string, string>;
}

/** The two names of somebody, both required. */
export function NameFields({ person, errors }: NameFieldsProps) {
  return (
    <>
      <TextField
        label="Nom"
        name="nom"
        isRequired
        maxLength={100}
        defaultValue={person?.nom}
        error={errors.nom}
      />
      <TextField
        label="Prénom"
        name="prenom"
        isRequired
        maxLength={100}
        defaultValue={person?.prenom}
        error={errors.prenom}
      />
    </>
  );
}
