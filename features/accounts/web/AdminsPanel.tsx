import { useId, useRef } from 'react';
import { usePortalSession } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { ListState } from '#platform/web/ui/LoadState.tsx';
import { AddAdmin } from './AddAdmin.tsx';
import { AdminItem } from './AdminItem.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import { ADMINS } from './questions.ts';
import { SecondFactor } from './SecondFactor.tsx';

/** Who may open the portal, one’s own password included. */
export function AdminsPanel() {
  const admins = useQuestion(ADMINS, 'Erreur lors de la récupération des administrateurs:');
  const { username: me } = usePortalSession();
  const title = useRef<HTMLHeadingElement>(null);
  const id = useId();
  return (
    <div className="flex max-w-3xl flex-col gap-10">
      <div>
        <h1 ref={title} tabIndex={-1}>
          Administrateurs
        </h1>
        <p className="mt-3 mb-4 text-quiet">
          Chacun d’eux peut tout faire dans ce portail. Donnez à chaque personne son propre identifiant : le
          journal dit ainsi qui a fait quoi.
        </p>
        <ListState
          query={admins}
          failed="Les administrateurs n’ont pas pu être chargés."
          empty="Aucun administrateur pour le moment : ajoutez-en un ci-dessous."
        >
          {(items) => (
            <ul className="border-t border-mist">
              {items.map((admin) => (
                <AdminItem
                  key={admin.id}
                  admin={admin}
                  isMe={admin.username === me}
                  isLast={items.length === 1}
                  onGone={() => title.current?.focus({ preventScroll: true })}
                />
              ))}
            </ul>
          )}
        </ListState>
      </div>
      <section aria-labelledby={`${id}-add`} className="max-w-xl">
        <h2 id={`${id}-add`} className="mb-5">
          Ajouter un administrateur
        </h2>
        <AddAdmin />
      </section>
      <section aria-labelledby={`${id}-own`} className="max-w-xl">
        <h2 id={`${id}-own`} className="mb-5">
          Changer mon mot de passe
        </h2>
        <OwnPassword />
      </section>
      <section aria-labelledby={`${id}-second`} className="max-w-xl">
        <h2 id={`${id}-second`} className="mb-5">
          Ma connexion en deux étapes
        </h2>
        <SecondFactor />
      </section>
    </div>
  );
}
