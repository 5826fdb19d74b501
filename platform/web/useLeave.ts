import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

/** Goes home without what `forget` takes away nor what was read with it: the next person here must not find it. */
export function useLeave(forget: () => void): () => void {
  const answers = useQueryClient();
  const navigate = useNavigate();
  return () => {
    navigate('/');
    forget();
    answers.clear();
  };
}
