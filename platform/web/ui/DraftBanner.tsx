import { History } from 'lucide-react';
import type { DraftState } from '#platform/web/drafts.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from './Button.tsx';
import { instantOf } from './texts.ts';

interface DraftBannerProps {
  draft: DraftState;
  isNew: boolean;
  /** True when the form has files too, which drafts do not keep. */
  hasFiles?: boolean;
  /** Goes back to the stored texts. */
  onDiscard(): void;
}

/** Tells that the form shows a draft found on this device, or that this browser cannot store drafts. */
export function DraftBanner({ draft, isNew, hasFiles = false, onDiscard }: DraftBannerProps) {
  const { locale, timeZone } = useSite();
  if (!draft.isKept) {
    return (
      <p className="well" role="status">
        Ce navigateur ne garde pas de brouillon{'\u202f'}: enregistrez avant de quitter cette page.
      </p>
    );
  }
  if (!draft.foundAt) return null;
  return (
    <div className="well flex flex-wrap items-center gap-x-4 gap-y-2" role="status">
      <History className="size-6 shrink-0 text-pine" />
      <p className="min-w-0 flex-1 basis-60">
        Voici votre brouillon du {instantOf(draft.foundAt, locale, timeZone)}, gardé sur cet appareil.
        {hasFiles && ' Les fichiers choisis alors sont à choisir de nouveau.'}
      </p>
      <Button quiet onClick={onDiscard}>
        {isNew ? 'Effacer le brouillon' : 'Revenir à la version enregistrée'}
      </Button>
    </div>
  );
}
