import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Id of the stay that the address names, and how to choose another. The address alone changes then: to the router
 * it would be a new page, which takes the focus from the dropdown. Where the router goes next, to this very panel
 * too, the choice is over.
 */
export function useChosenStay(): [number | undefined, (id: number | undefined) => void] {
  const { search, key } = useLocation();
  const [choice, setChoice] = useState<{ key: string; id: number | undefined }>();
  const named = Number(new URLSearchParams(search).get('sejour'));
  const choose = (id: number | undefined) => {
    setChoice({ key, id });
    const address = new URL(window.location.href);
    if (id) address.searchParams.set('sejour', String(id));
    else address.searchParams.delete('sejour');
    window.history.replaceState(window.history.state, '', address);
  };
  return [choice?.key === key ? choice.id : named || undefined, choose];
}
