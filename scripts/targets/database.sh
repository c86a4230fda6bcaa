# A PostgreSQL cluster of a target's own with NoETL's schema. Sourced after common.sh and init, never run.
# shellcheck shell=bash

postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)

# Installs the server where there is none.
need_postgres() {
  need_packages postgresql-client
  [ -z "$postgres" ] || return 0
  need_packages postgresql
  postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin | sort -V | tail -n 1)
}

# PostgreSQL runs as an unprivileged user, whoever calls.
as_database_user() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

sql() { PGPASSWORD=noetl psql --quiet --set ON_ERROR_STOP=1 --host 127.0.0.1 --port "$database_port" --username noetl "$@"; }

# make_database DDL_FILE: starts a cluster at $database_port whose database noetl has the schema noetl.
make_database() {
  mkdir -p "$run/database"
  [ "$(id -u)" -ne 0 ] || chown postgres "$run/database"
  as_database_user "$postgres/initdb" --pgdata "$run/database/data" --username noetl --auth trust --encoding UTF8 \
    --no-sync >"$run/initdb.log"
  as_database_user "$postgres/pg_ctl" --pgdata "$run/database/data" --log "$run/database/log" --silent --wait \
    --options "-p $database_port -h 127.0.0.1 -k $run/database -c fsync=off" start
  sql --dbname postgres --command 'CREATE DATABASE noetl'
  sql --dbname noetl --command 'CREATE SCHEMA noetl'
  sql --dbname noetl --file "$1" --output /dev/null 2>"$run/ddl.log"
}

stop_database() {
  [ -f "$run/database/data/postmaster.pid" ] || return 0
  as_database_user "$postgres/pg_ctl" --pgdata "$run/database/data" --mode immediate --silent --wait stop || true
}
