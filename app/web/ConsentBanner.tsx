import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { type Choice, keepChoice, useAsking, useChoice } from '#features/site/web/consent.ts';
import { useSite } from '#platform/web/site.tsx';
import { Button } from '#platform/web/ui/Button.tsx';
import { Link } from '#platform/web/ui/Link.tsx';
import { useNotices } from '#platform/web/ui/notices.tsx';

/** Asks whether services outside the site may count visits. The page stays usable around it. */
export function ConsentBanner() {
  const site = useSite();
  const { counterUrl, analyticsUrl } = site;
  const isCalledFor = useAsking() === 'again';
  const choice = useChoice();
  const { warn } = useNotices();
  const banner = useRef<HTMLElement>(null);
  const caller = useRef<Element>(null);
  useRoomFor(banner);

  useEffect(() => {
    if (!isCalledFor) return;
    caller.current = document.activeElement;
    banner.current?.focus();
  }, [isCalledFor]);

  function answer(given: Choice) {
    const isKept = keepChoice(given, site);
    if (given === 'oui' && !isKept) {
      warn('Votre navigateur n’a pas gardé votre accord.', 'Il compte comme un refus.');
    }
    const place = caller.current ?? document.getElementById('contenu');
    (place as HTMLElement | null)?.focus({ preventScroll: true });
  }

  return (
    <section
      ref={banner}
      tabIndex={-1}
      aria-labelledby="consent-title"
      className="fixed inset-x-0 bottom-0 z-20 max-h-[60dvh] overflow-y-auto border-t border-edge bg-card pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] shadow-card print:hidden"
    >
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-x-10 gap-y-3 px-4 py-4 text-sm md:flex-row md:items-center">
        <div className="min-w-0 grow wrap-anywhere">
          <p id="consent-title" className="font-title text-base font-semibold text-pine">
            Acceptez-vous que d’autres services comptent vos visites{'\u202f'}?
          </p>
          <ul className="mt-1 list-disc pl-5">
            {counterUrl !== '' && (
              <li>
                <strong>{new URL(counterUrl).host}</strong> fournirait l’image du compteur de visites, et
                pourrait déposer un cookie.
              </li>
            )}
            {analyticsUrl !== '' && (
              <li>
                <strong>{new URL(analyticsUrl).host}</strong> saurait quelles pages vous ouvrez.
              </li>
            )}
          </ul>
          <p className="mt-1">
            Chaque service verrait l’adresse IP de votre appareil. Si vous refusez, le site ne l’appelle pas.
            Votre choix vaut 13 mois. Pour en changer, choisissez «{'\u00a0'}Gérer mes choix{'\u00a0'}» en bas
            de page.{' '}
            {choice !== undefined && (
              <strong>Pour l’instant, vous avez {choice === 'oui' ? 'accepté' : 'refusé'}.</strong>
            )}
          </p>
        </div>
        <div className="flex shrink-0 flex-wrap items-center gap-x-6 gap-y-1 md:flex-col">
          <div className="grid grow grid-cols-2 gap-3">
            <Button onClick={() => answer('non')}>Refuser</Button>
            <Button onClick={() => answer('oui')}>Accepter</Button>
          </div>
          <Link to="/politique-confidentialite" className="inline-flex min-h-11 items-center">
            En savoir plus
          </Link>
        </div>
      </div>
    </section>
  );
}

/** Leaves room for the banner at the end of the page, so that everything can be scrolled out from under it. */
function useRoomFor(banner: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = banner;
    if (!current) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--banner', `${current.offsetHeight}px`));
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty('--banner');
    };
  }, [banner]);
}
