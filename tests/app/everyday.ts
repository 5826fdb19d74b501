/*
 * What those who work in the portal type when they look for something, and where each of it is done: written before the
 * search was made to answer it, and not changed after. A place is a panel by its key, a setting (`reglages#` and its
 * name), a stay, or a person by their name.
 */

export interface Asked {
  typed: string;
  /** Any of them answers it. */
  places: readonly string[];
}

const asked = (rows: string): Asked[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [typed = '', places = ''] = row.split(' => ');
      return { typed: typed.trim(), places: places.trim().split(', ') };
    });

/** The stays, children, directors and employees that some of them name; stays in the order of their numbers. */
export const WORLD = {
  stays: [
    'Colo Mer',
    'Colo Montagne',
    'Mini-camp nature',
    'Équitation',
    'Voile à Oléron',
    'Séjour à la ferme',
  ],
  children: [
    ['Léa', 'Dupont'],
    ['Hugo', 'Lefèvre'],
    ['Inès', 'de La Tour'],
  ],
  directors: [
    ['Awa', 'Koné'],
    ['Marc', 'Perrin'],
  ],
  employees: [['Nadia', 'Benali']],
} as const;

export const EVERYDAY = asked(`
organigramme                                  => employe-modifier, employe-creer
ajouter une collègue                          => employe-creer, administrateurs
nouvelle collègue à l’accueil                 => employe-creer, administrateurs
un salarié est parti                          => employe-modifier
changer la photo d’un collègue                => employe-modifier
trombinoscope                                 => employe-modifier, employe-creer
nouveau membre du cse                         => employe-creer
élus du CSE                                   => employe-modifier, employe-creer
enlever quelqu’un de l’équipe                 => employe-modifier
poste d’une salariée                          => employe-modifier
supprimer un enfant                           => familles
nouvel enfant                                 => familles
ajouter un enfant                             => familles
inscrire un enfant                            => familles, familles-importer
inscription                                   => familles, familles-importer
desinscrire un enfant                         => familles
un enfant ne vient plus                       => familles
changer l’adresse mail d’un parent            => familles
adresse email parents                         => familles
email d’une maman                             => familles
liste des enfants                             => familles
liste des participants                        => familles
autorisation photo                            => familles
autorisation parentale                        => familles
droit à l’image                               => familles, photos
droit image                                   => familles, photos
consentement                                  => familles
refus photo                                   => familles, photos
parents séparés                               => familles
deuxième adresse mail                         => familles
importer les enfants                          => familles-importer
fichier excel des inscrits                    => familles-importer
importer un fichier                           => familles-importer, sejours-importer, direction-importer
import csv                                    => familles-importer, sejours-importer, direction-importer
tableau excel des séjours                     => sejours-importer
liste des directeurs                          => directeurs
ajouter un directeur                          => directeurs
nouvelle directrice                           => directeurs
animateurs                                    => directeurs
téléphone du directeur                        => directeurs
qui dirige quel séjour                        => sejours-affecter, directeurs
nommer un directeur                           => sejours-affecter
changer le directeur d’un séjour              => sejours-affecter, directeurs
importer les directeurs                       => direction-importer
créer un séjour                               => sejours
nouveau séjour                                => sejours
ajouter une colo                              => sejours
changer une date                              => sejours
changer les dates d’un séjour                 => sejours
modifier un sejour                            => sejours
supprimer un séjour                           => sejours
fermer un séjour                              => sejours
séjour annulé                                 => sejours
lieu du séjour                                => sejours
heure de départ                               => sejours
numéro d’urgence                              => sejours
infos pratiques                               => sejours
prolonger les photos                          => sejours, reglages#photos_conservation_jours
codes non reçus                               => codes-envoyer, envois
le parent n’a pas reçu                        => codes-envoyer, envois
une famille n’a rien reçu                     => codes-envoyer, envois
renvoyer le code à une maman                  => codes-envoyer
envoyer les mots de passe                     => codes-envoyer
envoi des codes                               => codes-envoyer
codes familles                                => codes-envoyer, mots-de-passe, etiquettes
code d’accès                                  => codes-envoyer, mots-de-passe
mdp oublié                                    => mots-de-passe, codes-envoyer, administrateurs, compte
mot de passe oublié                           => mots-de-passe, codes-envoyer, administrateurs, compte
mot de passe d’un séjour                      => mots-de-passe
changer le mot de passe du séjour             => mots-de-passe
code perdu                                    => codes-envoyer, mots-de-passe
imprimer les codes                            => etiquettes
imprimer                                      => etiquettes
etiquettes                                    => etiquettes
étiquette enfant                              => etiquettes
qr code                                       => etiquettes
donner les codes sur papier                   => etiquettes
une famille sans mail                         => etiquettes, familles
écrire aux familles                           => ecrire
écrire aux parents                            => ecrire
envoyer un message à tout le monde            => ecrire
prévenir les parents d’un retard              => ecrire
envoyer un mail                               => ecrire
mail groupé                                   => ecrire
mails envoyés                                 => envois
mail pas parti                                => envois
adresse fausse                                => envois, familles
mail revenu en erreur                         => envois
est-ce que le mail est parti                  => envois
répondre à un message                         => messages
message reçu                                  => messages
formulaire de contact                         => messages, reglages#contact_email
questions des visiteurs                       => messages
photo à enlever                               => photos
retirer une photo                             => photos
supprimer une photo                           => photos
publier les photos                            => photos
valider les photos                            => photos
photos à vérifier                             => photos
photos du jour                                => photos
flouter un visage                             => photos
un parent demande de retirer une photo        => photos
télécharger les photos                        => photos
album photo                                   => photos
livret                                        => livrets
trousseau                                     => livrets
liste des affaires à emporter                 => livrets
brochure du séjour                            => livrets
questionnaire de satisfaction                 => rapport
avis des parents                              => rapport
bilan                                         => rapport
note des familles                             => rapport
actu                                          => actualite-creer, actualite-modifier
publier une nouvelle                          => actualite-creer
corriger un article                           => actualite-modifier
faute dans une actualité                      => actualite-modifier
annoncer une sortie                           => evenement-creer
evenement                                     => evenement-creer, evenement-modifier
changer la date d’un événement                => evenement-modifier
annuler un événement                          => evenement-modifier
arbre de noël                                 => evenement-creer, evenement-modifier
à la une                                      => une-creer, une-modifier
billetterie                                   => avantage-creer, avantage-modifier
réduction cinéma                              => avantage-creer, avantage-modifier
chèques vacances                              => avantage-creer, avantage-modifier
changer le logo                               => logos
ajouter un partenaire                         => logos
compte rendu                                  => documents
cr réunion                                    => documents
pv de la réunion                              => documents
déposer un pv                                 => documents
récupérer un article supprimé                 => corbeille
j’ai supprimé par erreur                      => corbeille
poubelle                                      => corbeille
qui a modifié                                 => journal
qui a supprimé l’enfant                       => journal
sauvegarde                                    => sante, emporter
export excel                                  => rapport, emporter
le site ne marche pas                         => sante
désabonner                                    => donnees, envois, reglages#message_soir_heure
rgpd                                          => donnees
effacer les données d’une famille             => donnees
mon mot de passe                              => compte
changer mon mot de passe                      => compte
double authentification                       => compte, reglages#second_facteur
nouvel utilisateur                            => administrateurs
donner les droits à quelqu’un                 => administrateurs
adresse du cse                                => reglages#organisation_adresse
mentions légales                              => reglages, reglages#hebergeur_nom, reglages#directeur_publication
combien de temps les photos restent           => reglages#photos_conservation_jours
heure du mail du soir                         => reglages#message_soir_heure
mot de passe des comptes rendus               => reglages#comptes_rendus_mot_de_passe
siren                                         => reglages#organisation_siren
séjour n° 6                                   => Séjour à la ferme
séjour 6                                      => Séjour à la ferme
n°2                                           => Colo Montagne
sejour numero 4                               => Équitation
6                                             => Séjour à la ferme
colo mer                                      => Colo Mer
séjour oleron                                 => Voile à Oléron
enfant Dupont                                 => Léa Dupont
dupont lea                                    => Léa Dupont
la petite Inès                                => Inès de La Tour
lefevre                                       => Hugo Lefèvre
mail de Mme Dupont                            => Léa Dupont
directeur Perrin                              => Marc Perrin
awa kone                                      => Awa Koné
Nadia                                         => Nadia Benali
photos colo montagne                          => Colo Montagne
codes du séjour équitation                    => Équitation
`);

/* Written after the search was made; what it missed of them was looked at since. */
export const LATER = asked(`
comment faire pour ajouter un gamin           => familles
le papa a changé d’email                      => familles
un enfant s’est désisté                       => familles
combien d’inscrits                            => familles, sejours
liste téléphonique des employés               => employe-modifier
ma collègue part à la retraite                => employe-modifier
congé maternité d’une collègue                => employe-modifier
remplacer le directeur                        => directeurs, sejours-affecter
adresse du centre                             => sejours
horaires du bus                               => sejours
le séjour est complet                         => sejours
décaler le départ                             => sejours
dupliquer un séjour                           => sejours
je ne retrouve plus la liste                  => familles, sejours
les parents ne voient pas les photos          => photos, reglages#photos_conservation_jours
photo floue                                   => photos
ordre des photos                              => photos
tourner une photo                             => photos
un enfant ne doit pas apparaître              => photos, familles
envoyer un rappel aux parents                 => ecrire
communiquer avec les familles                 => ecrire
newsletter                                    => ecrire
les identifiants de connexion des familles    => codes-envoyer, mots-de-passe
le code ne marche pas                         => mots-de-passe, codes-envoyer
mot de pass directeurs                        => mots-de-passe, codes-envoyer
organigrame                                   => employe-modifier, employe-creer
fiche sanitaire                               => livrets, documents
menu de la semaine                            => livrets, actualite-creer
sondage                                       => rapport
imprimer le bilan                             => rapport
tarif piscine                                 => avantage-creer, avantage-modifier
noel                                          => evenement-creer, evenement-modifier
retirer une actualité périmée                 => actualite-modifier
image d’accueil                               => une-creer, une-modifier
boîte de réception                            => messages
qui s’est connecté hier                       => journal
le site est lent                              => sante
changer le nom de l’association               => reglages#organisation_nom
supprimer mon compte                          => compte, administrateurs
modifier la fiche de Hugo Lefèvre             => Hugo Lefèvre
où changer le titre du site                   => reglages#organisation_nom
numéro de téléphone du bureau                 => reglages#organisation_telephone
on a déménagé                                 => reglages#organisation_adresse
qui est le responsable de publication         => reglages#directeur_publication
mettre une image sur la page d’accueil        => unes, actualites
carrousel                                     => unes
bandeau d’accueil                             => unes
billetterie                                   => avantages
cinéma moins cher                             => avantages
chèques vacances                              => avantages
sortie du samedi                              => evenements
arbre de noël                                 => evenements
assemblée générale                            => evenements, documents
ordre du jour                                 => documents
mettre en ligne un PDF                        => documents, livrets
déposer un compte rendu                       => documents
PV de réunion                                 => documents
sponsors                                      => logos
ajouter un partenaire                         => logos
brouillon                                     => actualites, evenements, corbeille
récupérer ce que j’ai supprimé                => corbeille
j’ai effacé par erreur                        => corbeille
annuler une suppression                       => corbeille
famille qui déménage                          => familles
frères et sœurs                               => familles
allergie                                      => familles, livrets
parents séparés                               => familles, codes-envoyer
renvoyer le lien à une maman                  => codes-envoyer, envois, familles
mail en erreur                                => envois
messages non distribués                       => envois
qui n’a pas reçu son mail                     => envois, codes-envoyer
accusé de réception                           => envois
relancer les familles                         => familles-ecrire, ecrire, codes-envoyer
le car est en retard                          => familles-ecrire, ecrire
trousseau                                     => livrets
liste des affaires à emporter                 => livrets
animateur                                     => directeurs
téléphone du directeur de colo                => directeurs
changer d’adjoint                             => directeurs, sejours-affecter
feuille excel des inscriptions                => familles-importer, sejours-importer
charger un fichier                            => familles-importer, sejours-importer, direction-importer
questionnaire de fin de séjour                => rapport
note des parents                              => rapport
effacer les données d’une famille             => donnees, familles
droit à l’oubli                               => donnees
demande d’un parent rgpd                      => donnees
une photo gênante                             => photos
télécharger toutes les photos                 => photos
les photos sont en attente                    => photos
nouveau mot de passe pour moi                 => compte
je change de téléphone                        => compte
clé de sécurité                               => compte, reglages#second_facteur
donner l’accès à une collègue                 => administrateurs
qui a modifié cette page                      => journal
historique des actions                        => journal
sauvegardes                                   => sante
place sur le disque                           => sante
exporter toutes les données                   => emporter, donnees
changer de serveur                            => emporter
combien de temps on garde les photos          => reglages#photos_conservation_jours
`);

/* Written last, and not answered for by the search: the rate of these says how it does with what is new. */
export const FRESH = asked(`
renommer une colo                             => sejours
reporter un séjour                            => sejours
fermer un séjour                              => sejours
nouveau camp cet été                          => sejours, sejours-importer
adresse du gîte                               => sejours
heure de retour du car                        => sejours
supprimer une inscription                     => familles
numéro de la maman                            => familles
corriger le prénom d’une petite               => familles
liste des participants                        => familles, sejours
autorisation parentale                        => familles
refuse d’être pris en photo                   => familles, photos
directrice de la colo                         => directeurs
le directeur a perdu son code                 => mots-de-passe, codes-envoyer, directeurs
prévenir toutes les familles                  => familles-ecrire, ecrire
un mot aux parents                            => familles-ecrire, ecrire
message d’un visiteur                         => messages
répondre à quelqu’un                          => messages
les étiquettes avec les qr codes              => etiquettes
distribuer les codes sur papier               => etiquettes
livret d’accueil                              => livrets
menu des repas                                => livrets
publier une info                              => actualites
article à modifier                            => actualites
mettre une date au calendrier                 => evenements
réduction pour les salariés                   => avantages
code promo                                    => avantages
mettre un logo                                => logos
compte rendu du mois                          => documents
mot de passe des PV                           => reglages#comptes_rendus_mot_de_passe, documents
embauche d’une comptable                      => employes
photo du personnel                            => employes
qui travaille ici                             => employes
mettre quelqu’un administrateur               => administrateurs
retirer un accès                              => administrateurs
mon adresse email                             => compte
double facteur                                => compte, reglages#second_facteur
éléments supprimés                            => corbeille
espace disque                                 => sante
heure de l’email du soir                      => reglages#message_soir_heure
`);
