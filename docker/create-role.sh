#!/bin/sh
# Run once by PostgreSQL's image, when its volume is empty: the service's role and database. The role owns the database,
# so it may create what the migrations need, and is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username postgres <<'SQL'
CREATE ROLE formula LOGIN NOSUPERUSER PASSWORD :'password';
CREATE DATABASE formula OWNER formula TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
SQL
