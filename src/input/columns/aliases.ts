import type { FieldKind } from '../../registration/model/persona.ts';

/** One name after the other, with bars or line ends between them. */
function listed(text: string): readonly string[] {
  return text
    .split(/[|\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/**
 * What attendee lists call their columns, in English, Spanish, French, German, Italian, Portuguese, Dutch and the languages
 * of Scandinavia. To be extended freely: case, accents, punctuation and marks such as "(required)" make no difference, and a
 * name may stand with several concepts when it means either. Left out are names that mean too much to
 * be matched without asking ("Title", "Status", "Type", "Ticket", German "Name").
 */
export const CONCEPT_ALIASES = {
  first_name: listed(`
    First name | Given name | Forename | Fname | Christian name | First | Delegate first name
    Nombre | Nombre de pila | Nombre(s) | Primer nombre | Prénom | Prénoms | Prénom usuel
    Vorname | Vornamen | Rufname | Nome | Nome di battesimo | Primo nome | Primeiro nome | Fornavn | Förnamn
    Nome próprio | Nome de batismo | Attendee first name | Participant first name
    Voornaam | Voornamen | Roepnaam
    Teilnehmer Vorname | Vorname Teilnehmer | Vorname des Teilnehmers
  `),
  last_name: listed(`
    Last name | Surname | Family name | Lname | Last | Delegate last name
    Apellido | Apellidos | Nom | Nom de famille | Patronyme | Nom usuel
    Nachname | Familienname | Zuname | Cognome | Cognomi | Sobrenome | Apelido | Apelidos
    Último nome | Nome de família | Attendee last name | Participant last name | Etternavn | Efternavn | Efternamn
    Achternaam | Familienaam
    Teilnehmer Nachname | Nachname Teilnehmer | Nachname des Teilnehmers
  `),
  full_name: listed(`
    Name | Full name | Complete name | Attendee name | Participant name | Delegate name
    Contact name | First and last name | Name and surname | Nombre | Nombre completo
    Nombre y apellidos | Nombre y apellido | Apellidos y nombre | Nom | Nom complet
    Nom et prénom | Nom prénom | Prénom et nom | Prénom nom | Vollständiger Name
    Vor- und Nachname | Name, Vorname | Vorname Name | Vorname Nachname | Vorname und Nachname | Nome
    Nome completo | Nome e cognome | Cognome e nome | Nominativo | Nome e sobrenome
    Naam | Volledige naam | Voor- en achternaam | Voornaam en achternaam | Navn | Namn | Fullt navn | Fulde navn
    Fuldt navn | Fullständigt namn | For- og etternavn | For- og efternavn | För- och efternamn | Navn på deltaker
    Teilnehmer Name | Teilnehmername | Name Teilnehmer | Name des Teilnehmers
    Name on badge | Name for badge | Badge name | Wie heißen Sie? | Wie heißt du?
    Comment vous appelez-vous ? | ¿Cómo se llama? | Come si chiama? | Hoe heet u?
    Your name | Your full name | Guest name | Visitor name | Attendee | Participant | Delegate
    Teilnehmer | Teilnehmerin | Teilnehmende | Teilnehmer/in | Ihr Name | Dein Name | Gast | Gastname
    Vor- und Zuname | Votre nom | Nom du participant | Participante | Asistente | Nombre del asistente
    Nombre del participante | Partecipante | Nome del partecipante | Nome do participante | Deelnemer
    Student name | Pupil | Pupil name | Aluno | Aluna | Nome do aluno | Alumno | Alumna | Schüler | Schülerin | Élève | Leerling
    Last name, first name | Surname, first name | Nachname, Vorname | Nachname und Vorname | Name und Vorname
  `),
  email: listed(`
    E-mail | E-mails | E-post | Mail | E-mail address | Mail address | Email ID | Work e-mail | Business e-mail
    Contact e-mail | Correo | Correo electrónico | Correo-e | Dirección de correo
    Dirección de correo electrónico | Dirección de e-mail | Dirección email | Courriel | Mél
    Adresse e-mail | Adresse mail | Adresse électronique | Adresse courriel | Email professionnel
    E-Mail-Adresse | Mailadresse | Elektronische Post | Posta elettronica | Indirizzo e-mail
    Indirizzo mail | Indirizzo di posta elettronica | Correio eletrónico | Correio eletrônico
    Endereço de e-mail | Endereço eletrónico | Endereço eletrônico | E-mailadres | Mailadres
  `),
  phone: listed(`
    Phone | Phone number | Phone no | Telephone | Telephone number | Tel | Tel. no | Tel. number
    Contact number | Work phone | Business phone | Teléfono | Número de teléfono | Telf | Tfno
    Nº de teléfono | Teléfono de contacto | Téléphone | Numéro de téléphone | N° de téléphone
    Tél | Telefon | Telefonnummer | Telefon-Nr | Tel.-Nr | Rufnummer | Telefono
    Numero di telefono | Recapito telefonico | Telefone | Número de telefone | Contacto telefónico
    Telefoon | Telefoonnummer
  `),
  mobile: listed(`
    Mobile | Mobile phone | Mobile number | Mobile no | Mobile phone number | Cell | Cell phone
    Cellphone number | WhatsApp | Móvil | Teléfono móvil | Número de móvil | Celular
    Teléfono celular | Portable | Téléphone portable | Téléphone mobile | GSM
    Handy | Handynummer | Handy-Nr | Mobiltelefon | Mobilnummer | Mobil | Mobilfunknummer
    Cellulare | Numero di cellulare | Telefono cellulare | Telemóvel | Número de telemóvel
    Telefone celular | Número de celular | Mobiel | Mobiel nummer | Mobiele telefoon
  `),
  fax: listed(`
    Fax | Fax number | Telefax | Faxnummer | Número de fax | Numéro de fax | Numero di fax
  `),
  country: listed(`
    Country | Country name | Country code | Country of residence | Country/Region | País
    País de residencia | Pays | Pays de résidence | Land | Herkunftsland | Wohnsitzland | Staat | Land van herkomst
    Paese | Nazione | Paese di residenza | País de residência | País/Región | Pays/Région
  `),
  nationality: listed(`
    Nationality | Citizenship | Nacionalidad | Nationalité | Nationalität | Nationalitaet
    Staatsangehörigkeit | Staatsbürgerschaft | Nazionalità | Cittadinanza | Nacionalidade
  `),
  company: listed(`
    Company | Company name | Organisation | Organization | Organisation name | Organization name
    Employer | Institution | Business name | Account name | Affiliation | Empresa | Compañía
    Nombre de la empresa | Organización | Institución | Razón social | Entidad | Entreprise
    Société | Raison sociale | Nom de l'entreprise | Nom de la société | Établissement | Organisme
    Firma | Firmenname | Unternehmen | Unternehmensname | Azienda | Società | Ragione sociale
    Nome azienda | Ditta | Ente | Organizzazione | Nome da empresa | Organização | Companhia
    Bedrijf | Bedrijfsnaam | Organisatie | Bedrift | Arbeidsgiver | Arbeidssted | Företag | Virksomhed | Arbetsgivare
  `),
  job_title: listed(`
    Job title | Job | Position | Job position | Job role | Occupation | Profession
    Cargo | Puesto | Puesto de trabajo | Función | Profesión | Fonction | Poste
    Intitulé du poste | Poste occupé | Funktion | Berufsbezeichnung | Stellenbezeichnung | Beruf
    Ruolo | Qualifica | Posizione | Mansione | Professione | Função | Profissão | Posição
  `),
  department: listed(`
    Department | Dept | Division | Business unit | Departamento | Área | Département
    Abteilung | Bereich | Fachbereich | Dipartimento | Reparto | Ufficio | Setor
  `),
  industry: listed(`
    Industry | Sector | Industry sector | Business sector | Sector de actividad | Secteur
    Secteur d'activité | Branche | Industriezweig | Settore | Settore di attività | Ramo
    Setor de atividade
  `),
  address: listed(`
    Address | Street | Street address | Address line 1 | Postal address | Mailing address
    Dirección | Dirección postal | Domicilio | Calle | Adresse | Adresse postale | Rue
    Straße | Anschrift | Postanschrift | Straße und Hausnummer | Straße, Hausnummer | Straße Nr
    Indirizzo | Indirizzo postale | Endereço | Morada | Rua
  `),
  postal_code: listed(`
    Postal code | Postcode | Post code | ZIP | ZIP code | ZIP/Postal code | Código postal | C.P.
    Code postal | PLZ | Postleitzahl | CAP | Codice postale | Codice di avviamento postale | CEP
  `),
  city: listed(`
    City | Town | City/Town | Town/City | Municipality | Ciudad | Población | Localidad
    Municipio | Ville | Commune | Localité | Stadt | Ort | Wohnort | Città | Comune
    Località | Cidade | Localidade | Município
  `),
  region: listed(`
    Region | State | State/Province | State/Region | Province | County | Provincia | Región
    Comunidad autónoma | Estado/Provincia | Région | Département (France) | Bundesland | Kanton
    Regione | Provincia/Regione | Região | Distrito | Província | UF
  `),
  website: listed(`
    Website | Web | Web page | Internet | Homepage | URL | Company website | Sitio web
    Página web | Site web | Site internet | Webseite | Internetseite | Internetadresse | Sito web
    Sito internet | Sito | Página da web
  `),
  linkedin: listed(`
    LinkedIn | LinkedIn profile | LinkedIn URL | Perfil de LinkedIn | Profil LinkedIn
  `),
  date_of_birth: listed(`
    Date of birth | Birth date | Birthday | DOB | Born | Fecha de nacimiento | F. nacimiento
    Date de naissance | Né(e) le | Geburtsdatum | Geburtstag | Geb.-Datum | Geboren | Geboren am | Data di nascita
    Nato il | Data de nascimento | Data nascimento | Geboortedatum
  `),
  gender: listed(`
    Gender | Sex | Sexo | Género | Sexe | Genre | Geschlecht | Sesso | Genere | Gênero
  `),
  salutation: listed(`
    Salutation | Courtesy title | Honorific | Prefix | Tratamiento | Civilité | Anrede
    Appellativo | Titolo di cortesia | Tratamento | Formula di saluto
  `),
  language: listed(`
    Language | Preferred language | Correspondence language | Idioma | Lengua | Idioma preferido
    Langue | Langue préférée | Sprache | Korrespondenzsprache | Bevorzugte Sprache | Lingua
    Lingua preferita | Língua | Idioma de preferência
  `),
  dietary: listed(`
    Dietary | Dietary requirements | Dietary restrictions | Dietary needs | Dietary preferences
    Diet | Allergies | Food allergies | Allergies and dietary requirements | Alergias | Dieta
    Restricciones alimentarias | Necesidades dietéticas | Alergias e intolerancias | Intolerancias
    Régime alimentaire | Restrictions alimentaires | Ernährung | Ernährungswünsche | Allergien
    Unverträglichkeiten | Diätwünsche | Esigenze alimentari | Allergie | Intolleranze
    Intolleranze alimentari | Restrições alimentares | Necessidades alimentares
    Dieetwensen | Dieet | Allergieën | Voedselallergieën | Allergier | Matallergier | Allergi | Matpreferanser
  `),
  meal: listed(`
    Meal | Meal choice | Meal preference | Lunch | Lunch choice | Menu choice | Food choice
    Menú | Comida | Almuerzo | Repas | Déjeuner | Menü | Menüwahl | Menüwunsch | Essen
    Essenswunsch | Essenswahl | Mittagessen | Verpflegung | Pasto | Pranzo | Refeição | Almoço
    Maaltijd | Maaltijdkeuze
  `),
  notes: listed(`
    Anything else | Anything else we should know | Other comments | Further comments
    Notes | Note | Comments | Comment | Remarks | Remark | Observations | Additional information
    Notas | Comentarios | Observaciones | Commentaires | Noch etwas mitteilen | Mitteilung | Nachricht | Commentaire | Remarques | Bemerkung
    Bemerkungen | Anmerkungen | Anmerkung | Kommentar | Kommentare | Notizen | Hinweise
    Commenti | Osservazioni | Comentários | Observações | Opmerking | Opmerkingen
  `),
  number_of_guests: listed(`
    Number of guests | No. of guests | Guests | Guest count | Number of companions | Plus ones
    How many people | How many guests | Wie viele Personen | Hoeveel personen | Combien de personnes | Cuántas personas | Quante persone
    Quantas pessoas | Accompagnants | Acompañantes | Accompagnatori | Acompanhantes | Begleitpersonen | Número de invitados | Número de acompañantes | Nº de acompañantes | Nombre d'invités
    Nombre d'accompagnants | Anzahl Gäste | Anzahl der Gäste | Anzahl Begleitpersonen | Anzahl Begleitung
    Anzahl Begleiter | Anzahl der Begleitpersonen | Anzahl Personen | Numero accompagnatori | Aantal begeleiders
    Numero di ospiti | Numero di accompagnatori | Número de convidados | Número de acompanhantes
    Aantal gasten | Aantal introducés | Aantal introducees
  `),
  ticket_type: listed(`
    Ticket type | Registration type | Registration category | Ticket category | Ticket name | Admission type | Pass type
    Tipo de entrada | Tipo de boleto | Tipo de ticket | Type de billet | Catégorie de ticket
    Catégorie de billet | Ticketart | Tickettyp | Ticketkategorie | Kartenart
    Tipo di biglietto | Tipo de bilhete | Tipo de ingresso | Categoria de bilhete | Soort ticket
    Ticketsoort
  `),
  biography: listed(`
    Bio | Biography | Short bio | Short biography | Speaker bio | About the speaker | About me | Über mich | Kurzbiografie | Kurzbiographie
    Biografie | Biographie | Kurzvita | Vita | Biografía | Biografía breve | Biographie courte | Biografia
    Biografia breve | Breve biografia | Korte biografie
  `),
  talk_title: listed(`
    Talk title | Title of the talk | Session title | Presentation title | Vortragstitel | Titel des Vortrags
    Titel Vortrag | Título de la ponencia | Título de la charla | Titre de la conférence | Titolo dell'intervento
    Título da palestra | Titel van de lezing
  `),
  talk_at: listed(`
    Talk at | Date of the talk | Date and time of the talk | Talk date | Session date | Vortrag am | Vortragstermin | Termin
    Fecha de la ponencia | Date de la conférence | Data dell'intervento | Data da palestra | Datum lezing
  `),
  build_up_at: listed(`
    Build-up from | Build-up | Set-up from | Aufbau ab | Aufbau | Montaje desde | Montaje | Montage à partir de | Opbouw vanaf | Opbouw
    Allestimento da | Allestimento | Montagem a partir de | Montagem
  `),
  stand_number: listed(`
    Stand number | Stand N° | Stand no | Booth number | Booth no | Standnummer | Stand-Nr | Número de stand | Nº de stand
    Nº stand | Numéro de stand | N° de stand | N° stand | Stand n. | Numero stand | Numero dello stand | Número do stand
  `),
  stand_size: listed(`
    Stand size | Booth size | Standgröße | Standgrösse | Tamaño de stand | Tamaño del stand | Taille du stand
    Surface du stand | Dimensione stand | Tamanho do stand | Standgrootte
  `),
  vat_number: listed(`
    VAT number | VAT ID | Tax ID | Tax number | NIF | CIF | NIF/CIF | Numéro de TVA | N° TVA
    USt-IdNr | Umsatzsteuer-ID | Steuernummer | Partita IVA | P. IVA | Contribuinte | NIPC | CNPJ
  `),
} satisfies Readonly<Record<string, readonly string[]>>;

/** What a column or a field holds, whatever it is called. */
export type Concept = keyof typeof CONCEPT_ALIASES;

/** A persona's only field of such a kind is what these concepts mean, if no field is called so. */
export const CONCEPTS_BY_KIND: Partial<Record<FieldKind, readonly Concept[]>> = {
  email: ['email'],
  phone: ['phone', 'mobile'],
  country: ['country'],
  website: ['website'],
};

/**
 * Other names of the columns that mean the same to every persona. None may be a concept's as well. Left
 * out are numbers ("Ticket number"): a barcode is what a registration is known by, so a guess is not enough; and names of
 * kinds of guests ("Registration type"), which are as often tickets: the values tell.
 */
export const RESERVED_ALIASES = {
  barcode: listed(`
    Bar code number | Barcode number | Barcode ID | Ticket code | Ticket barcode | Badge code
    Badge barcode | QR | QR code | Código de barras | Cód. barras | Cód. de barras | Código QR | Código de entrada | Code-barres
    Code à barres | Code barre | Code QR | Code du billet | Strichcode | Strichcodenummer
    Barcodenummer | Ticketcode | QR-Code-Nummer | Codice a barre | Codice a barra | Codice QR
    Codice biglietto | Código do bilhete | Código do ingresso | Streepjescode | Kod kreskowy | Vonalkód | Čárový kód
  `),
  parent_barcode: listed(`
    Parent code | Parent ticket | Parent ticket code | Barcode of parent
    Main guest barcode | Host barcode | Código de barras principal | Código de barras del titular
    Code-barres parent | Code-barres principal | Code-barres du titulaire | Haupt-Barcode
    Strichcode der Hauptperson | Übergeordneter Barcode | Codice a barre principale
    Codice a barre del titolare | Código de barras do titular
  `),
  enable_comms: listed(`
    Enable communications | Communications enabled | Communications | Send communications
    Send e-mails | Send confirmation | Habilitar comunicaciones | Enviar comunicaciones
    Comunicaciones | Activer les communications | Envoyer les communications | Communications actives
    Kommunikation aktivieren | Mitteilungen senden | Benachrichtigungen | Abilita comunicazioni
    Invia comunicazioni | Comunicazioni | Ativar comunicações | Enviar comunicações
  `),
} satisfies Readonly<Record<string, readonly string[]>>;

/** Words for somebody who comes along: `Companion 2 First name`. Without a number the first is meant. */
export const COMPANION_WORDS: readonly string[] = listed(`
  Companion | Accompanying person | Accompanying guest | Plus one | Plus 1 | Additional guest
  Acompañante | Accompagnant | Accompagnante | Accompagnateur | Personne accompagnante
  Begleitperson | Begleitung | Begleiter | Begleiterin | Accompagnatore | Accompagnatrice
  Acompanhante | Ledsager | Ledsagers | Ledsagare | Følge
`);

/** Words that mean a companion only with a number: lists call the registrants themselves so as well. */
export const GUEST_WORDS: readonly string[] = listed(`
  Guest | Invitado | Invitada | Invité | Invitée | Gast | Ospite | Convidado | Convidada
`);

/** Words for who comes: of several in a row the first is the row's own person, and the others are companions. */
export const OWN_WORDS: readonly string[] = listed(`
  Attendee | Participant | Participante | Partecipante | Delegate | Visitor | Visitante | Visiteur | Visitatore
  Passenger | Person | Ticket | Ticket holder | Billet | Entrada | Biglietto | Bilhete | Asistente | Teilnehmer | Teilnehmerin | Teilnehmende | Besucher | Deelnemer | Bezoeker
`);

/** Words between a field and its companion: `Prénom de l’accompagnant 1`. */
export const JOINING_WORDS: readonly string[] = listed(`
  of | the | de | del | du | des | der | di | da | do | della | dello | dell | la | el
  l | d | le
`);

/** What headings say in brackets about the filling in, not about the content. */
export const HEADING_MARKS: readonly string[] = listed(`
  required | mandatory | optional | obligatorio | requerido | opcional | obligatoire | requis
  facultatif | optionnel | Pflichtfeld | Pflicht | erforderlich | obbligatorio | facoltativo
  obrigatório | facultativo | Pflichtangabe
`);
