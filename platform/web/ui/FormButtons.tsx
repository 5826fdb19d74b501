interface FormButtonsProps {
  /** Label of the submit button, and its label while the form is being sent. */
  yes: string;
  busy: string;
  isBusy: boolean;
  /** True while something required is missing. */
  isIncomplete?: boolean;
  onCancel(): void;
}

/** The submit and cancel buttons of a form. */
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
