import { type RefObject, useId } from 'react';
import { Button } from '#platform/web/ui/Button.tsx';
import { SearchInput } from '#platform/web/ui/SearchBox.tsx';
import { SEARCH_MAX } from '../../shared/limits.ts';
import { SEARCH_PATH } from '../questions.ts';

interface SearchFormProps {
  input?: RefObject<HTMLInputElement | null>;
  asked?: string;
  onType?(text: string): void;
  /** In place of the browser, which would load the page of the answers. */
  onSearch?(text: string): void;
}

/** The field of the search of the site; a form of its own, which works without script. */
export function SearchForm({ input, asked, onType, onSearch }: SearchFormProps) {
  const id = useId();
  return (
    <search className="block w-full max-w-2xl text-left print:hidden">
      <form
        action={SEARCH_PATH}
        onSubmit={
          onSearch &&
          ((event) => {
            event.preventDefault();
            onSearch(String(new FormData(event.currentTarget).get('q')));
          })
        }
      >
        <label htmlFor={id} className="mb-1.5 block font-semibold">
          Rechercher sur le site
        </label>
        <div className="flex flex-wrap gap-3">
          <SearchInput
            ref={input}
            id={id}
            name="q"
            className="min-w-0 flex-1 basis-40"
            enterKeyHint="search"
            maxLength={SEARCH_MAX}
            // Not controlled: what is typed before the scripts have come stays.
            defaultValue={asked}
            onInput={onType && ((event) => onType(event.currentTarget.value))}
          />
          <Button type="submit">Rechercher</Button>
        </div>
      </form>
    </search>
  );
}
