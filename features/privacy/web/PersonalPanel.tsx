import { useState } from 'react';
import { call } from '#platform/web/api.ts';
import { TextField } from '#platform/web/ui/Field.tsx';
import { textsOf, useForm } from '#platform/web/ui/useForm.ts';
import { type Known, KnownData } from './KnownData.tsx';

/** What the site knows of an address: looked up, handed out, erased. */
export function PersonalPanel() {
  const [found, setFound] = useState<Known>();
  const { errors, isBusy, form } = useForm({
    send: (sent) => call('POST /rgpd', { body: { email: textsOf(sent).email ?? '' } }),
    onDone: (answer) => setFound({ ...answer, efface: [] }),
    failure: 'Erreur lors de la recherche de l’adresse',
  });
  return (
    <div className="max-w-2xl">
      <h1>Données personnelles</h1>
      <p className="mt-3 mb-6 text-quiet">
        Quelqu’un demande ce que le site sait de lui, ou veut que cela disparaisse ? Tapez son adresse e-mail.
        Vérifiez d’abord que la demande vient bien de cette personne.
      </p>
      <form {...form} className="flex flex-col gap-4">
        <TextField
          label="Adresse e-mail"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          isRequired
          error={errors.email}
        />
        <p>
          <button type="submit" className="button" aria-disabled={isBusy}>
            {isBusy ? 'Recherche…' : 'Chercher'}
          </button>
        </p>
      </form>
      {found && <KnownData {...found} onErased={setFound} />}
      <WhatErasingDoes />
    </div>
  );
}

function WhatErasingDoes() {
  return (
    <section aria-labelledby="ce-que-fait-effacer" className="mt-12 border-t border-mist pt-8">
      <h2 id="ce-que-fait-effacer" className="text-xl">
        Ce que fait un effacement
      </h2>
      <p className="mt-2 max-w-[65ch]">
        Il efface l’adresse, et ce qui ne tient qu’à elle, des familles, des directeurs, de l’organigramme,
        des messages de contact, des e-mails et des imports. Il ne touche ni aux textes que vous publiez, ni
        aux avis sur les séjours, qui sont sans nom, ni au journal. Il ne cherche pas non plus dans ce que
        d’autres ont écrit, comme un message de contact qui citerait l’adresse.
      </p>
      <p className="mt-3 max-w-[65ch]">
        Les sauvegardes gardent l’adresse jusqu’à ce que de plus récentes les remplacent. Si l’une d’elles est
        remise en service, le site refait l’effacement dès qu’il démarre ; mais un fichier importé de nouveau
        la ferait revenir.
      </p>
    </section>
  );
}
