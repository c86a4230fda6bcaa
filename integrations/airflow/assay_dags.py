"""The DAGs whose runs assay judges (fixtures/profiles/airflow.yaml): each run comes to the end that its DAG is named for,
and nobody but Airflow moves it."""

import datetime

from airflow.providers.standard.operators.bash import BashOperator
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

SETTINGS = {"schedule": None, "catchup": False, "max_active_runs": 1000, "max_active_tasks": 1000,
            "start_date": datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)}

with DAG("assay_success", **SETTINGS):
    EmptyOperator(task_id="work")

with DAG("assay_failed", **SETTINGS):
    BashOperator(task_id="work", bash_command="exit 1", retries=0)

# Its pool has no slot: the run is running, and its task waits for ever.
with DAG("assay_never", **SETTINGS):
    BashOperator(task_id="work", bash_command="true", pool="assay_closed")
