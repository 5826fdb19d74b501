import { z } from 'zod';
import { call, idParams, instant, json, message, qrCode } from '#platform/shared/call.ts';
import { ADMIN, ALL_RIGHTS, ROLES } from '#platform/shared/roles.ts';
import { emailAddress, line, password, required, username } from '#platform/shared/text.ts';
import { ADMIN_PASSWORD_MIN } from './shared/terms.ts';

const ADMIN_PASSWORD_MAX = 200;

const newPassword = password(ADMIN_PASSWORD_MAX)
  .refine((value) => [...value].length >= ADMIN_PASSWORD_MIN, {
    error: `${ADMIN_PASSWORD_MIN} caractères au moins.`,
  })
  .meta({ title: 'Mot de passe' });

const ownPassword = password(500).meta({ title: 'Mot de passe actuel' });
/** Six digits, or a recovery code. */
const secondCode = line(50).meta({ title: 'Code' });
/** What somebody types to prove who they are. */
const typedSecrets = {
  password: password(500).meta({ title: 'Mot de passe' }),
  code: secondCode.default(''),
};

/** Where an admin is told of sign-ins on devices that their account does not know. */
const ownAddress = emailAddress(254).meta({ title: 'Adresse e-mail' });

/** What an account is let into; a right named twice counts once. */
const rights = z
  .array(z.enum(ALL_RIGHTS))
  .max(2 * ALL_RIGHTS.length)
  .meta({ title: 'Droits' });

const signedIn = z.object({ tokenAdmin: z.string(), message: z.string() });

const admin = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  droits: rights,
  created_at: instant,
  vu_le: instant.nullable(),
  /** By when they need a second factor that they lack; null: they have what is asked for. */
  facteur_avant: instant.nullable(),
  /** Until when the link opens by which somebody invited chooses a password; null: nobody is awaited. */
  invite_jusqua: instant.nullable(),
});

export const adminCalls = {
  'GET /admins': call({
    summary: 'Les administrateurs',
    access: ['reglages'],
    reply: z.array(admin),
  }),
  'POST /admins': call({
    summary:
      'Création d’un administrateur, avec des droits que l’on a soi-même\u202f; sans mot de passe, un e-mail l’invite à en choisir un',
    access: ['reglages'],
    fresh: true,
    body: json(
      z.object({
        username,
        password: newPassword.optional(),
        email: ownAddress.default(''),
        droits: rights.default(ALL_RIGHTS),
      }),
    ),
    status: 201,
    reply: admin.extend({ message: z.string() }),
  }),
  'PUT /admins/:id': call({
    summary:
      'Nouvel identifiant, nouvelle adresse, nouveau mot de passe, nouveaux droits ou nouvelle invitation d’un administrateur dont on a soi-même les droits',
    access: ['reglages'],
    fresh: true,
    params: idParams,
    body: json(
      z.object({
        username: username.optional(),
        email: ownAddress.optional(),
        password: newPassword.optional(),
        droits: rights.optional(),
        /** Sends the invitation again, with another link. */
        inviter: z.literal(true).optional(),
      }),
    ),
    reply: admin.extend({ message: z.string() }),
  }),
  'DELETE /admins/:id': call({
    summary:
      'Suppression d’un administrateur dont on a soi-même les droits\u202f; le dernier qui les a tous reste',
    access: ['reglages'],
    fresh: true,
    params: idParams,
  }),
  'POST /admins/moi/mot-de-passe': call({
    summary: 'Changement de son propre mot de passe',
    access: ADMIN,
    onFullDisk: true,
    body: json(
      z.object({
        ancien: ownPassword,
        nouveau: newPassword.meta({ title: 'Nouveau mot de passe' }),
      }),
    ),
  }),
};

const whereabouts = {
  /** `Firefox sur Windows`; blank: unknown. */
  appareil: z.string(),
  /** Shortened address; blank: unknown. */
  reseau: z.string(),
};

/** An open sign-in: where, since when, and when it was last used, give or take five minutes. */
export const openSignIn = z.object({
  id: z.number(),
  ...whereabouts,
  created_at: instant,
  vu_le: instant,
});

/** SHA-256 of the cookie of a device, in hexadecimal. */
const deviceId = z.string().regex(/^[\da-f]{64}$/);

export const ownSessionCalls = {
  'GET /admins/moi/connexions': call({
    summary: 'Ses propres connexions ouvertes, la dernière utilisée en tête',
    access: ADMIN,
    reply: z.array(
      openSignIn.extend({
        est_celle_ci: z.boolean(),
      }),
    ),
  }),
  'DELETE /admins/moi/connexions/:id': call({
    summary: 'Fin d’une de ses connexions',
    access: ADMIN,
    params: idParams,
  }),
  'DELETE /admins/moi/connexions': call({
    summary: 'Fin de ses connexions, et oubli de ses appareils, sauf ceux d’où on le demande',
    access: ADMIN,
    query: z.object({ sauf: z.literal('celle-ci') }),
  }),
  'GET /admins/moi/appareils': call({
    summary: 'Les appareils que son compte connaît, le dernier utilisé en tête',
    access: ADMIN,
    reply: z.array(
      z.object({
        id: deviceId,
        ...whereabouts,
        vu_le: instant,
        est_celui_ci: z.boolean(),
      }),
    ),
  }),
  'DELETE /admins/moi/appareils/:id': call({
    summary: 'Oubli d’un de ses appareils\u202f: la prochaine connexion depuis lui sera annoncée par e-mail',
    access: ADMIN,
    params: z.object({ id: deviceId }),
  }),
};

/** Bytes in base64url, as WebAuthn has them in JSON. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]*$/);
/** A challenge that comes back as it went out. */
const sealedChallenge = z.string().max(1000);

const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
};

/** What a device answers that made a passkey: `PublicKeyCredential` in JSON. */
export const attestation = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes(4000), attestationObject: bytes(20_000) }),
});

/** What a device answers that signed a challenge with a passkey. */
export const assertion = z.object({
  ...credential,
  response: z.object({ clientDataJSON: bytes(4000), authenticatorData: bytes(4000), signature: bytes(4000) }),
});

const passkeySignIn = z.object({ jeton: sealedChallenge, reponse: assertion });

/** Each is valid for one sign-in without the application or the passkey. Sent only in this answer. */
const recoveryCodes = z.array(z.string());

export const passkeyCalls = {
  'POST /cles-acces/defi': call({
    summary:
      'Ce qu’un appareil signe avec une clé d’accès, pour se connecter au portail ou prouver qui l’on est',
    access: 'anyone',
    onFullDisk: true,
    reply: z.object({
      options: z.object({
        challenge: z.string(),
        rpId: z.string(),
        timeout: z.number(),
        userVerification: z.literal('required'),
      }),
      jeton: z.string(),
    }),
  }),
  'POST /loginAdmin/cle-acces': call({
    summary: 'Connexion d’un administrateur avec une clé d’accès, sans mot de passe ni code',
    access: 'anyone',
    onFullDisk: true,
    body: json(
      passkeySignIn.extend({
        /** The only account that may be opened; blank: any. */
        username: line(100).default(''),
      }),
    ),
    reply: signedIn,
  }),
  'POST /admins/moi/preuve/cle-acces': call({
    summary: 'Nouvelle preuve que l’on est soi, avec une clé d’accès',
    access: ADMIN,
    onFullDisk: true,
    body: json(passkeySignIn),
  }),
  'POST /admins/moi/cles-acces/defi': call({
    summary: 'Ce qu’il faut à un appareil pour faire une clé d’accès à son compte',
    access: ADMIN,
    fresh: true,
    reply: z.object({
      options: z.object({
        challenge: z.string(),
        rp: z.object({ id: z.string(), name: z.string() }),
        user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
        pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
        timeout: z.number(),
        attestation: z.literal('none'),
        excludeCredentials: z.array(z.object({ id: z.string(), type: z.literal('public-key') })),
        authenticatorSelection: z.object({
          residentKey: z.literal('required'),
          userVerification: z.literal('required'),
        }),
      }),
      jeton: z.string(),
    }),
  }),
  'POST /admins/moi/cles-acces': call({
    summary: 'La clé d’accès qu’un appareil a faite',
    access: ADMIN,
    fresh: true,
    body: json(
      z.object({
        jeton: sealedChallenge,
        reponse: attestation,
        nom: required(line(100)).meta({ title: 'Nom' }),
      }),
    ),
    status: 201,
    // Its challenge serves once, and recovery codes are kept nowhere.
    once: false,
    reply: message.extend({
      /** Empty where the account had a second factor already, and so has its codes. */
      codes_secours: recoveryCodes,
    }),
  }),
  'DELETE /admins/moi/cles-acces/:id': call({
    summary: 'Suppression d’une de ses clés d’accès',
    access: ADMIN,
    fresh: true,
    params: idParams,
  }),
};

export const secondFactorCalls = {
  'GET /admins/moi/second-facteur': call({
    summary: 'Sa propre connexion en deux étapes et ses clés d’accès',
    access: ADMIN,
    reply: z.object({
      /** Since when a code is asked for; null: no application is in place. */
      actif_le: instant.nullable(),
      codes_restants: z.number(),
      /** The oldest first. */
      cles: z.array(
        z.object({ id: z.number(), nom: z.string(), created_at: instant, vu_le: instant.nullable() }),
      ),
      /** By when the account needs one of the two; null: it has one, or none is asked for. */
      exige_avant: instant.nullable(),
    }),
  }),
  'POST /admins/moi/codes-secours': call({
    summary: 'Dix nouveaux codes de secours, à la place des autres',
    access: ADMIN,
    fresh: true,
    reply: message.extend({ codes_secours: recoveryCodes }),
  }),
  'POST /admins/moi/second-facteur': call({
    summary: 'Début de sa connexion en deux étapes\u202f: le secret à donner à une application',
    access: ADMIN,
    fresh: true,
    body: json(z.object({ mot_de_passe: ownPassword })),
    reply: z.object({
      /** In base 32, to be typed where the QR code cannot be scanned. */
      secret: z.string(),
      qr: qrCode,
    }),
  }),
  'POST /admins/moi/second-facteur/confirmation': call({
    summary: 'Mise en place de sa connexion en deux étapes, avec un premier code',
    access: ADMIN,
    fresh: true,
    body: json(z.object({ code: required(secondCode) })),
    reply: message.extend({ codes_secours: recoveryCodes }),
  }),
  'POST /admins/moi/second-facteur/arret': call({
    summary: 'Arrêt de sa connexion en deux étapes',
    access: ADMIN,
    fresh: true,
    body: json(z.object({ mot_de_passe: ownPassword })),
  }),
};

/** Sign-in of admins and of meeting-report readers, and the calls about the presented token. */
export const authCalls = {
  'GET /verifyToken': call({
    summary: 'Le jeton présenté ouvre-t-il le portail ?',
    access: ['admin'],
    reply: z.object({
      message: z.string(),
      username: z.string(),
      expire_le: instant,
      droits: rights,
      /** By when the account needs a second factor, without which it has no rights from then on; null: it has what is asked for. */
      facteur_avant: instant.nullable(),
    }),
  }),
  'POST /loginAdmin': call({
    summary:
      'Connexion d’un administrateur\u202f; 401 avec «\u00a0etape: code\u00a0» quand son compte demande aussi un code, «\u00a0etape: secours\u00a0» quand il n’a que des clés d’accès et des codes de secours',
    access: 'anyone',
    onFullDisk: true,
    body: json(
      z.object({
        username: required(line(100)).meta({ title: 'Identifiant' }),
        ...typedSecrets,
      }),
    ),
    reply: signedIn,
  }),
  'POST /admins/invitation': call({
    summary:
      'Choix de son mot de passe par la personne invitée, et connexion\u202f; le lien ne sert qu’une fois',
    access: 'anyone',
    onFullDisk: true,
    body: json(z.object({ jeton: line(100), password: newPassword })),
    reply: signedIn,
  }),
  'POST /admins/moi/preuve': call({
    summary:
      'Nouvelle preuve que l’on est soi, pour les appels qui en demandent une\u202f; 422 avec «\u00a0etape: code\u00a0» ou «\u00a0etape: secours\u00a0» quand il y faut aussi un code',
    access: ADMIN,
    onFullDisk: true,
    body: json(z.object(typedSecrets)),
  }),
  'POST /auth/logout': call({
    summary: 'Déconnexion\u202f: le jeton présenté ne vaut plus rien',
    access: ROLES,
    onFullDisk: true,
  }),
  'GET /session': call({
    summary: 'À qui est le jeton présenté, et jusqu’à quand',
    access: ROLES,
    reply: z.object({
      role: z.enum(ROLES),
      username: z.string().nullable(),
      stageId: z.number().nullable(),
      expire_le: instant,
      /** Of an admin; empty for everybody else. */
      droits: rights,
    }),
  }),
  'POST /documents/acces': call({
    summary: 'Ouverture des comptes rendus avec leur mot de passe',
    access: 'anyone',
    onFullDisk: true,
    body: json(z.object({ password: typedSecrets.password })),
    reply: z.object({ token: z.string(), message: z.string(), expire_le: instant }),
  }),
};
