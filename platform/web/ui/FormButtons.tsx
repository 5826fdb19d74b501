interface FormButtonsProps {
  /** What sending the form does, and what is said meanwhile. */
  yes: string;
  busy: string;
  isBusy: boolean;
  /** Something is missing. */
  isIncomplete?: boolean;
  onCancel(): void;
}

/** The end of a form that can be left as it was. */
export function FormButtons({ yes, busy, isBusy, isIncomplete = false, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <button type="submit" className="button" aria-disabled={isBusy || isIncomplete}>
        {isBusy ? busy : yes}
      </button>
      <button type="button" className="button quiet" onClick={onCancel}>
        Annuler
      </button>
    </div>
  );
}
