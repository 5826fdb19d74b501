import { Navigate, useParams } from 'react-router';

/** The pages of a stay: whoever is not signed in to it is sent to its door, the number filled in. */
export function StayGate() {
  const { id } = useParams();
  return <Navigate to={id ? `/connexion?stageId=${encodeURIComponent(id)}` : '/connexion'} replace />;
}
