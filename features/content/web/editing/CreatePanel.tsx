import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ItemKind } from '#features/content/shared/kind.ts';
import { useNotices } from '#platform/web/ui/notices.tsx';
import { ContentForm } from './ContentForm.tsx';
import { type AnyItem, publicationOf } from './useItems.ts';

/** The form for a new item of a kind. After a save it is empty again, for the next one. */
export function CreatePanel({ kind, title }: { kind: ItemKind; title: string }) {
  const [count, setCount] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const { say } = useNotices();
  const answers = useQueryClient();
  const navigate = useNavigate();

  function onSaved({ message, ...item }: AnyItem & { message: string }): void {
    const { id } = item;
    const isSeen = publicationOf(item) === 'online';
    const page = kind.byId && (isSeen ? `${kind.byId.seenAt}${id}` : `${kind.byId.page}/${id}`);
    const label = isSeen ? 'Voir sur le site' : 'Hors ligne pour le moment\u202f: revoir ses dates';
    say(message, page ? { label, run: () => navigate(page) } : undefined);
    setCount(count + 1);
    answers.invalidateQueries();
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="mb-6">
        {title}
      </h1>
      <ContentForm
        key={count}
        kind={kind}
        submitLabel={kind.hasWindow ? 'Publier' : 'Ajouter'}
        failure="Erreur lors de la création"
        onSaved={onSaved}
      />
    </>
  );
}
