import { invalid } from '#platform/server/http/errors.ts';
import { type Handlers, MadeFile } from '#platform/server/http/serve.ts';
import { addressKey } from '#platform/server/mail/address.ts';
import type { Services } from '#platform/server/services.ts';
import type { CallKey } from '#platform/shared/call.ts';
import { dayAt } from '#platform/shared/time.ts';
import type { PersonalData } from './data.ts';

type PersonalKeys = Extract<CallKey, `${string} /rgpd${string}`>;

export function personalHandlers(
  { config, clock }: Services,
  personal: PersonalData,
): Pick<Handlers, PersonalKeys> {
  return {
    'POST /rgpd': async ({ body: { email }, ...actor }) => ({
      email,
      trouve: await personal.find(email, actor),
    }),
    'GET /rgpd/export': async ({ query, ...actor }) => {
      const label = `donnees-personnelles-${dayAt(clock(), config.TIME_ZONE)}.json`;
      return new MadeFile(await personal.export(query.email, actor), label);
    },
    'POST /rgpd/effacer': async ({ body: { email, confirmation }, ...actor }) => {
      if (addressKey(confirmation) !== addressKey(email)) throw notConfirmed();
      const efface = await personal.erase(email, actor);
      return { message: efface.length > 0 ? ERASED : NOTHING_ERASED, efface };
    },
  };
}

const ERASED = 'Les données de cette adresse sont effacées définitivement.';
const NOTHING_ERASED =
  'Le site ne savait rien de cette adresse. Si une sauvegarde la contient et qu’elle est remise, elle y sera effacée.';

const notConfirmed = () =>
  invalid({ confirmation: 'ce n’est pas l’adresse à effacer.' }, { confirmation: 'Confirmation' });
