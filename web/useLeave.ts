import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { forgetToken, type TokenName } from './session.ts';

/** Goes home without these tokens and without what was read with them: the next person here must not find it. */
export function useLeave(names: readonly TokenName[]): () => void {
  const answers = useQueryClient();
  const navigate = useNavigate();
  return () => {
    navigate('/');
    for (const name of names) forgetToken(name);
    answers.clear();
  };
}
