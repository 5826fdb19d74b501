'use strict';

// Read first, by every Node there is: one that cannot read the other files gets a sentence instead of their errors.
if (Number.parseInt(process.versions.node, 10) < 18) {
  process.stderr.write(
    `Node 18 ou plus récent est nécessaire (ici : ${process.versions.node}) : « apt install nodejs npm » à partir de Debian 12 ou d’Ubuntu 24.04.\n`,
  );
  process.exit(1);
}
