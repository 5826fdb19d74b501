import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { forgetToken } from './session.ts';

/** Goes home without the portal’s token, which is worth nothing any more, and without what was read with it. */
export function useLeavePortal(): () => void {
  const answers = useQueryClient();
  const navigate = useNavigate();
  return () => {
    navigate('/');
    forgetToken('adminToken');
    answers.clear();
  };
}
