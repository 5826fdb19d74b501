import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { TextArea } from '#platform/web/ui/Field.tsx';

/** What was typed of one photo. */
export interface Notes {
  id: number;
  legende: string;
  motif: string;
}

interface CheckingNotesProps {
  /** Of the photo that is shown; another one begins anew. */
  notes: Notes;
  onChange(notes: Notes): void;
  /** What is chosen for all photos. */
  children: ReactNode;
}

/** A caption and a reason, and what counts for all photos: folded on a phone, where the photo needs the room. */
export function CheckingNotes({ notes, onChange, children }: CheckingNotesProps) {
  const [isOpen, setOpen] = useState(() => window.matchMedia('(min-width: 64rem)').matches);
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className="flex min-h-11 w-full items-center gap-2 text-left text-sm font-semibold lg:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="grow">Légende, motif, heure de publication</span>
        <ChevronDown
          aria-hidden="true"
          className={`size-5 shrink-0 transition-transform ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={id} hidden={!isOpen} className="flex-col gap-4 py-2 not-[[hidden]]:flex">
        <TextArea
          label="Légende"
          name="legende"
          rows={2}
          maxLength={300}
          value={notes.legende}
          onType={(legende) => onChange({ ...notes, legende })}
          help="Sous la photo, sans nom d’enfant."
        />
        <TextArea
          label="Motif d’un refus"
          name="motif"
          rows={1}
          maxLength={300}
          value={notes.motif}
          onType={(motif) => onChange({ ...notes, motif })}
          help="Les familles ne le voient pas."
        />
        {children}
      </div>
    </div>
  );
}
