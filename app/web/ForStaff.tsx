import { Pencil } from 'lucide-react';
import { useLocation } from 'react-router';
import { ITEM_KINDS } from '#features/content/shared/kinds.ts';
import { FirstSteps } from '#features/dashboard/web/FirstSteps.tsx';
import { SESSION } from '#platform/web/portal.ts';
import { useQuestion } from '#platform/web/questions.ts';
import { Link } from '#platform/web/ui/Link.tsx';

/** What public pages show to staff who are signed in. */
export function ForStaff({ isHome }: { isHome: boolean }) {
  return isHome ? <FirstSteps /> : <EditLink />;
}

/** On the page of an item, the way to its form. */
function EditLink() {
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const form = ITEM_KINDS.flatMap(({ byId: { seenAt, page } }) => {
    const id = seenAt && here.startsWith(seenAt) ? here.slice(seenAt.length) : '';
    return /^\d+$/.test(id) ? [`${page}/${id}`] : [];
  })[0];
  const { data } = useQuestion(SESSION, { isAsked: form !== undefined });
  if (form === undefined || !data?.droits.includes('contenus')) return null;
  return (
    <Link to={form} className="button fixed right-4 bottom-4 z-10 shadow print:hidden">
      <Pencil className="size-5" />
      Modifier
    </Link>
  );
}
