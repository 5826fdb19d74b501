import { Download, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { weightOf } from '#platform/shared/bytes.ts';
import type { ReplyOf } from '#platform/shared/call.ts';
import { addressOf, call } from '#platform/web/api.ts';
import { Button } from '#platform/web/ui/Button.tsx';
import { numberText } from '#platform/web/ui/texts.ts';
import { useAction } from '#platform/web/ui/useForm.ts';

export function ExportPanel() {
  const [ready, setReady] = useState<ReplyOf<'POST /export'>>();
  const { isBusy, run } = useAction();
  const prepare = () =>
    run(async () => setReady(await call('POST /export', {})), 'Erreur lors de la préparation de l’export');
  return (
    <div className="max-w-2xl">
      <h1>Emporter le site</h1>
      <p className="mt-3 text-quiet">
        Tout ce que le site contient, en fichiers que n’importe quel programme ouvre{'\u202f'}: un tableur
        pour les listes, les images, les photos et les PDF tels quels, et une page qui dit ce qu’est chaque
        fichier. Les mots de passe n’y sont pas. Pour remettre le site en route ailleurs, il y a les
        sauvegardes.
      </p>
      <p className="mt-4 flex items-start gap-2">
        <TriangleAlert className="mt-0.5 size-5 shrink-0 text-coral" />
        Ce fichier contient des noms d’enfants, les adresses de leurs familles et leurs photos{'\u202f'}:
        gardez-le comme le site lui-même, et effacez-le ensuite. Le téléchargement est noté au journal et
        signalé par e-mail.
      </p>
      <div className="mt-6" role="status">
        {ready ? (
          <>
            <a href={addressOf('GET /export.zip', {})} download className="button">
              <Download className="size-5" />
              Télécharger ({numberText(ready.fichiers)} {ready.fichiers > 1 ? 'fichiers' : 'fichier'},{' '}
              {weightOf(ready.octets)})
            </a>
            <p className="mt-2 text-quiet">
              Le téléchargement commence après quelques secondes. S’il se coupe, il reprend du début{'\u202f'}
              : pour un très gros site, qui tient la machine lance plutôt la commande d’export.
            </p>
          </>
        ) : (
          <Button aria-disabled={isBusy} onClick={prepare}>
            {isBusy ? 'Préparation…' : 'Préparer l’export'}
          </Button>
        )}
      </div>
    </div>
  );
}
