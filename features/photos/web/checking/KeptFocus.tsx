import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react';

interface KeptFocusProps {
  /** Id of the heading that takes the focus once nothing is left; it can be focused. */
  heading: string;
  children: ReactNode;
}

/**
 * Around lists of which items go once they are decided on. The focus goes from one that went to what takes its place, else
 * to the heading: to whoever uses keys, it would start again at the top of the page.
 */
export function KeptFocus({ heading, children }: KeptFocusProps) {
  const last = useRef<{ target: Element; list: Element | null; place: number }>(undefined);
  useEffect(() => {
    const before = last.current;
    if (!before || before.target.isConnected || document.activeElement !== document.body) return;
    last.current = undefined;
    const items = before.list?.isConnected ? [...before.list.children] : [];
    const next = items[Math.min(before.place, items.length - 1)]?.querySelector<HTMLElement>('button');
    (next ?? document.getElementById(heading))?.focus();
  });
  const onFocus = ({ target }: FocusEvent) => {
    const item = target.closest('li');
    const list = item?.parentElement ?? null;
    last.current = { target, list, place: item && list ? [...list.children].indexOf(item) : 0 };
  };
  const onBlur = () => {
    last.current = undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it follows the focus between the buttons inside
    <div className="contents" onFocus={onFocus} onBlur={onBlur}>
      {children}
    </div>
  );
}
