import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Illustration } from '../../../shared/content/kind.ts';
import { useSite } from '../../site.tsx';
import { MarkdownText } from '../../ui/MarkdownText.tsx';
import { Picture } from '../../ui/Picture.tsx';
import { dayOf } from '../../ui/texts.ts';

/** The column of one item in full, and the way back. */
export function StoryPage({ children }: { children: ReactNode }) {
  return (
    <div className="page max-w-3xl">
      <p>
        <Link to="/" className="inline-flex min-h-11 items-center gap-2">
          <ArrowLeft aria-hidden="true" className="size-5" />
          Retour à l’accueil
        </Link>
      </p>
      {children}
    </div>
  );
}

interface StoryProps {
  item: {
    titre: string;
    description: string;
    date_publication: string;
    image_url: string | null;
    illustrations: Illustration[];
  };
  summary?: string;
  /** What follows the text. */
  children?: ReactNode;
}

export function Story({ item, summary, children }: StoryProps) {
  const { locale, timeZone } = useSite();
  const { titre, description, date_publication, image_url, illustrations } = item;
  const illustration = illustrations.find((one) => one.nom === image_url);
  return (
    <article className="mt-2">
      <h1>{titre}</h1>
      <p className="mt-3 text-quiet">Publié le {dayOf(date_publication, locale, timeZone)}</p>
      {illustration && (
        <Picture
          illustration={illustration}
          folder="/api/images_stages/"
          sizes="(min-width: 800px) 736px, 100vw"
          isFirst
          className="mt-6 h-auto max-h-[70vh] w-full rounded-[14px]"
        />
      )}
      {summary && <p className="mt-6 max-w-[65ch] text-xl font-semibold wrap-anywhere">{summary}</p>}
      <MarkdownText text={description} className="mt-6 text-lg" />
      {children}
    </article>
  );
}

/** In the place of an item that does not exist, or no longer. */
export function NoStory({ children }: { children: ReactNode }) {
  return <h1 className="well mt-4 text-xl">{children}</h1>;
}
